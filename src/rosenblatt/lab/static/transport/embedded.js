// Reads a run that was saved with the page itself: nothing new can be computed, everything recorded replays.
export function embeddedTransport(recorded) {
  const cannot = () => {
    throw new Error("this file replays what was recorded; for something new, start `rosenblatt lab`.");
  };
  return {
    name: "embedded",
    canRun: false,
    catalogue: async () => recorded.catalogue,
    shell: async () => cannot(),
    async ask(job, body) {
      if (job === "run") {
        const wanted = JSON.stringify(body.rule);
        const found = recorded.sides.find((side) => JSON.stringify(side.rule) === wanted);
        if (found) return found.run;
      }
      if (job === "proof") {
        const { proof } = recorded.sides.find((side) => side.proof?.positive === body.positive && side.proof.negative === body.negative) ?? {};
        if (proof) return proof.answer;
        throw new Error("Not recorded in this file.");
      }
      return cannot();
    },
  };
}
