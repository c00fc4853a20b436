// The worker module of the static site. The single file starts the same code from its bundle.
import { answerMessages } from "./worker.js";

answerMessages(self);
