import { render, variablesOf } from '../template.ts'
import type { Runtime } from './runtime.ts'

/** The rendered prompt is the output; no model is asked. */
export const template: Runtime = ({ run, task }) => ({
  output: render(task.prompt, run.input, variablesOf(task, run)),
})
