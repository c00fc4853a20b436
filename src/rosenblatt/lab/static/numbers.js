// Numbers for reading: with a true minus sign; `exact` to the last digit, `short` where that would be long.
export function exact(value) {
  return String(value === 0 ? 0 : value).replaceAll("-", "−");
}

export function short(value) {
  const text = String(value === 0 ? 0 : value);
  return exact(text.length <= 8 ? value : Number(value.toPrecision(5)));
}

export function vector(values, format = short) {
  return `[${Array.from(values, format).join(", ")}]`;
}

export function pair(x, y) {
  return `(${short(x)}, ${short(y)})`;
}

export function count(number, singular, plural = `${singular}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? singular : plural}`;
}

// A class's name for reading: numbers with a true minus sign.
export function className(name) {
  return /^-\d/.test(name) ? name.replace("-", "−") : name;
}

// A sign in front of what is added.
export function plus(value) {
  return value < 0 || Object.is(value, -0) ? `− ${short(-value)}` : `+ ${short(value)}`;
}
