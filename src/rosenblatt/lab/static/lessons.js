// A guided path through the lectures' questions. A lesson is a state of the lab (as an address has it), a few sentences,
// something to try, and a check: `done(state, memory)` hears every change, and may remember what it has seen.
import { votesAt } from "./votes.js";

const NOISY = [
  "0,0,0;1,0,0;0,1,0;1,1,0;2,1,0;1,2,0;0.5,1.5,0;1.5,0.5,0;4.5,4,0",
  "4,3,1;3,4,1;4,4,1;5,3,1;3,5,1;5,5,1;4.5,3.5,1;3.5,4.5,1;1,1.5,1",
].join(";");

const IN_A_ROW = [
  "0,0,0;1,0.5,0;0.5,1,0;0,1,0",
  "3,0,1;4,0.5,1;3.5,1,1;3,1,1",
  "6,0,2;7,0.5,2;6.5,1,2;6,1,2",
].join(";");

// In an address of its own each lesson begins where it should.
export function lessonAddress({ id, address }) {
  return `${address}&lesson=${id}`;
}

export const LESSONS = [
  {
    id: "represent",
    question: "What can it represent?",
    source: "L0, L3, L4",
    address: "#bench=boolean&expression=a or b",
    text: "A unit weighs its inputs, adds them up and compares with a number: on the square it is a line. AND, OR and NOT are such units, and whole ranges of offsets will do.",
    todo: "Find a function of two variables that no unit computes: change values in the table, or type one.",
    done: ({ boolean }) => boolean.answer?.variables.length === 2 && !boolean.answer.is_threshold && !boolean.busy && !boolean.error,
  },
  {
    id: "learn",
    question: "How does it learn?",
    source: "L0, L1, L4",
    address: "#data=lecture4&rule=L4",
    text: "It looks at one example after the other. Where the score has the wrong sign it adds ηyx to w, which turns the line towards this example, and perhaps away from others.",
    todo: "Go to a mistake (m) and read what is added to w. Then see where it ends (End).",
    done({ sides: [side] }, memory) {
      if (!side.replay) return false;
      memory.mistake ||= side.at < side.replay.length && side.replay.isMistake(side.at);
      return memory.mistake && side.at >= side.replay.length;
    },
  },
  {
    id: "converge",
    question: "Why does it converge?",
    source: "L3",
    address: "#data=and&rule=L0&tie=positive&init=zeros",
    text: "Every mistake carries w by at least ηγ towards û, the best separator: the wall. But ‖w‖ grows only with the root of the number of mistakes: the circle. The wall would leave the circle after (R/γ)² mistakes, so there are no more.",
    todo: "Step through the mistakes (m) and watch the wall and the circle, to the end. Then change η: do the mistakes change, does the bound?",
    done({ sides: [side], proofs: [proof] }, memory) {
      if (!side.replay || !proof?.answer?.margin) return false;
      memory.end ||= side.at >= side.replay.length;
      return memory.end && side.rule.eta0 !== 1 && proof.payload === side.payload;
    },
  },
  {
    id: "inseparable",
    question: "What if no line separates them?",
    source: "L3, L1",
    address: "#data=xor&rule=L0&tie=positive&init=zeros",
    text: "XOR: both classes have the same middle, which no line can have on both sides. The weights beside the points are the proof. The run comes back to where it was and goes round for ever.",
    todo: "Go to the end (End) and read the period. Then make the points separable: erase one (x, then click it, or go there on the plane with the arrows and press Enter).",
    done({ sides: [side], proofs: [proof], data }, memory) {
      memory.cycled ||= side.payload?.ending.status === "cycled" && side.at >= side.replay.length;
      return Boolean(memory.cycled) && data.points.length > 1 && proof?.answer?.kind === "separable" && proof.payload === side.payload;
    },
  },
  {
    id: "noise",
    question: "What about noise?",
    source: "L0",
    address: `#points=${NOISY}&classes=no,yes&columns=x1,x2&rule=L0&tie=positive&init=zeros&max_steps=900&at=300`,
    text: "Two labels are wrong, and the line never comes to rest: where it stops is an accident. The pocket keeps the line that survived the longest run of right examples; the average takes the mean of all.",
    todo: "Show the pocket's and the average's line (under What is proved), and go on for a few epochs (e): which of the three lines stays calm?",
    done({ sides: [side], beside }, memory) {
      if (!side.replay || !beside.pocket || !beside.average) return false;
      memory.from ??= side.at;
      return side.at >= memory.from + 2 * side.replay.points.length;
    },
  },
  {
    id: "classes",
    question: "What about many classes?",
    source: "L4",
    address: `#points=${IN_A_ROW}&classes=left,middle,right&columns=x1,x2&rule=L0&tie=positive&init=zeros&max_steps=1200`,
    text: "One line a class, against all others, and the largest score wins; or one line a pair, and most votes win. The class in the middle cannot be cut off by one line: in pairs it can.",
    todo: "Set both beside each other (under Votes), and find a place where they disagree: point at it, or type it.",
    done({ sides, compare, probe }) {
      if (!compare || !probe || sides.some((side) => !side.replay || side.busy)) return false;
      const kinds = sides.map((side) => side.payload.kind);
      const winners = sides.map((side) => votesAt(side.payload, side.replay.planes(side.at), ...probe).winner);
      return kinds.includes("ova") && kinds.includes("ovo") && winners[0] !== winners[1];
    },
  },
  {
    id: "kernel",
    question: "And the kernel?",
    source: "L0, L2",
    address: "#data=circles&rule=L0&tie=positive&init=zeros&max_steps=2000&bench=beyond&beyond.way=kernel&beyond.kernel=linear",
    text: "In the dual, w is a sum of examples, each counted by its mistakes α, and a score needs nothing but products of points. Put another product in its place, a kernel, and the line becomes a curve.",
    todo: "With the linear kernel these circles stay mixed. Choose one that tells them apart.",
    done: ({ beyond }) => !beyond.busy && beyond.answer?.way === "kernel" && beyond.kernel !== "linear" && beyond.answer.ending.status === "separated" && beyond.answer.errors === 0,
  },
];
