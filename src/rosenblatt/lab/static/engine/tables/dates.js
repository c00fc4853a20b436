// Dates and times written as text, and the features that they become. Counterpart of data/columns/dates.py.
import { fitsOf } from "./number_text.js";

const DAY = 86400;
const CLOCK = "(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,]\\d+)?)?\\s*(?<half>[AaPp][Mm])?";
const TIME = `(?:[T ]\\s*${CLOCK}\\s*(?:Z|UTC|[-+]\\d{2}:?\\d{2})?)?`;
const NAME = "(?<name>\\p{L}{3,10})";
const whole = (pattern) => new RegExp(`^${pattern}$`, "u");
// The orders of day, month and year; "time" has a time of day only.
const PATTERNS = {
  ymd: [whole(`(?<y>\\d{4})(?<sep>[-/.])(?<m>\\d{1,2})\\k<sep>(?<d>\\d{1,2})${TIME}`)],
  dmy: [
    whole(`(?<d>\\d{1,2})(?<sep>[-/.])(?<m>\\d{1,2})\\k<sep>(?<y>\\d{4}|\\d{2})${TIME}`),
    whole(`(?<d>\\d{1,2})(?:\\.? |-)${NAME}\\.?,?[ -](?<y>\\d{4}|\\d{2})${TIME}`),
    whole(`${NAME}\\.? (?<d>\\d{1,2}),? (?<y>\\d{4})${TIME}`),
  ],
  mdy: [whole(`(?<m>\\d{1,2})(?<sep>[-/.])(?<d>\\d{1,2})\\k<sep>(?<y>\\d{4}|\\d{2})${TIME}`)],
  time: [whole(CLOCK)],
};
const ORDERS = Object.keys(PATTERNS);
// How the names of the months begin in English, German, French and Spanish, without accents.
const MONTHS = "jan ene,feb fev,mar,apr avr abr,may mai,jun juin,jul juil,aug aou ago,sep,oct okt,nov,dec dez dic".split(",");

// The number of a month by its name; 0 for another word.
function monthOf(name) {
  const plain = name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  return MONTHS.findIndex((beginnings) => beginnings.split(" ").some((beginning) => plain.startsWith(beginning))) + 1;
}

// Seconds since 1970-01-01 00:00 of the clock time as written, or null if the text is not a date of this order.
export function parsedDate(text, order) {
  for (const pattern of PATTERNS[order]) {
    const match = pattern.exec(text.trim());
    if (match) return secondsOf(match.groups);
  }
  return null;
}

function secondsOf({ y, m, d, name, hour, minute, second, half }) {
  const days = y ? daysOf(y, name ? monthOf(name) : Number(m), Number(d)) : 0;
  if (days === null) return null;
  let hours = Number(hour ?? 0);
  if (half) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  }
  const [minutes, seconds] = [Number(minute ?? 0), Number(second ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 60) return null;
  return days * DAY + hours * 3600 + minutes * 60 + seconds;
}

// Days since 1970, or null for a day that the calendar does not have.
function daysOf(text, month, day) {
  const year = text.length === 2 ? Number(text) + (Number(text) < 69 ? 2000 : 1900) : Number(text);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / (1000 * DAY) : null;
}

// The order that most of the texts have: { order, fits }. If day and month could be exchanged, the day comes first.
export function guessedDateOrder(counts) {
  const scored = ORDERS.map((order) => ({ order, fits: fitsOf(counts, (text) => parsedDate(text, order) !== null) }));
  return scored.reduce((best, one) => (one.fits > best.fits ? one : best));
}

export function looksLikeDate(text) {
  return ORDERS.some((order) => parsedDate(text, order) !== null);
}

// The features of a column of dates in seconds: [{ part, values }]. Days are counted from the first date; Mondays are 0.
export function dateFeatures(seconds, order) {
  const origin = Math.floor(Math.min(...seconds) / DAY) * DAY;
  const hasTime = seconds.some((value) => value % DAY !== 0);
  const parts = order === "time" ? ["hour"] : ["year", "month", "weekday", "elapsed days", ...(hasTime ? ["hour"] : [])];
  return parts.map((part) => ({ part, values: seconds.map((value) => partOf(value, part, origin)) }));
}

function partOf(seconds, part, origin) {
  if (part === "elapsed days") return (seconds - origin) / DAY;
  const days = Math.floor(seconds / DAY);
  if (part === "hour") return (seconds - days * DAY) / 3600;
  if (part === "weekday") return (((days + 3) % 7) + 7) % 7;
  const date = new Date(1000 * DAY * days);
  return part === "year" ? date.getUTCFullYear() : date.getUTCMonth() + 1;
}
