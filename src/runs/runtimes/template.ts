import { render, variablesOf } from '../template.ts'
import type { InstantRuntime } from './runtime.ts'

/** The rendered prompt is the output; no model is asked. */
export const template: InstantRuntime = ({ run, task }) =>
  render(task.prompt, run.input, variablesOf(task, run))
