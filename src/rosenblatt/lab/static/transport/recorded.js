// Answers requests from the runs recorded in a saved page. Nothing new can be computed.
import { t } from "../ui/strings.js";

export function recordedTransport(recorded) {
  const cannot = () => {
    throw new Error(t("error.recorded"));
  };
  return {
    name: "recorded",
    canRun: false,
    catalogue: async () => recorded.catalogue,
    shell: async () => cannot(),
    async ask(job, body) {
      if (job === "run") {
        const requestedRule = JSON.stringify(body.rule);
        const found = recorded.sides.find((side) => JSON.stringify(side.rule) === requestedRule);
        if (found) return found.run;
      }
      if (job === "proof") {
        const { proof } = recorded.sides.find((side) => side.proof?.positive === body.positive && side.proof.negative === body.negative) ?? {};
        if (proof) return proof.answer;
        throw new Error(t("error.not_recorded"));
      }
      return cannot();
    },
  };
}
