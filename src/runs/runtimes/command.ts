import { localOrigin } from '#src/agents/secrets/origins.ts'
import { secretsFor } from '#src/agents/secrets/secrets.ts'
import { CommandFailure, type Command, type CommandEnd } from '#src/ports/command.ts'
import { commandPlaceholder } from '#src/agents/tasks/tool.ts'
import { RunFailure } from '../failure.ts'
import { mustGo } from './must-go.ts'
import { variablesOf, type Variables } from '../template.ts'
import type { Result, Work } from './runtime.ts'

/** The largest value, and all values together, that are given in the environment as well. */
const valueBytes = 32 * 1024
const environmentBytes = 256 * 1024
/** How much of the standard output of a failed command an event keeps. */
const keptOfOutput = 4000

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** What the runtime of a command begins its codes with. */
type Kind = 'shell' | 'container'

/**
 * Nothing is ever put into the text of a command: a value in it would be read as a part of it.
 * @throws RunFailure naming what the text asks for
 */
export function refusePlaceholders(kind: Kind, text: string): void {
  const name = commandPlaceholder.exec(text)?.[1]
  if (name === undefined) return
  const instead = name.startsWith('secret.') ? name.slice('secret.'.length) : `ABODE_VAR_${name}`
  const message =
    `The command holds {{${name}}}, and nothing is filled in there: a value could act as a part of ` +
    `the command. It finds values in its environment, such as "$${instead}", and as JSON on its input.`
  throw new RunFailure(`${kind}_placeholder`, message)
}

/** What a command is given: everything as JSON on its input, and what fits in its environment. */
export async function commandOf(work: Work): Promise<Command> {
  const { run, task, ports, signal } = work
  const ids = { run_id: run.id, task_id: task.task_id, char_id: run.char_id }
  const variables = variablesOf(task, run)
  const secrets = await secretsFor(ports, task)
  mustGo(task, Object.keys(secrets), localOrigin)
  return {
    run: ids,
    env: {
      ...environmentOf(run.input, variables),
      ABODE_RUN_ID: ids.run_id,
      ABODE_TASK_ID: ids.task_id,
      ABODE_CHAR_ID: ids.char_id,
      ABODE_ATTEMPT: String(run.attempt),
      ...environmentOfTrace(ports.traces.kept()),
      ...secrets,
    },
    stdin: JSON.stringify({ input: run.input, variables, ...ids }),
    timeoutMs: task.step_timeout_seconds * 1000,
    signal,
  }
}

/** As OpenTelemetry has the trace of a program in its environment. */
function environmentOfTrace(trace: string | undefined): Record<string, string> {
  const [TRACEPARENT, ...state] = trace?.split(' ') ?? []
  if (TRACEPARENT === undefined) return {}
  return { TRACEPARENT, ...(state.length > 0 && { TRACESTATE: state.join(' ') }) }
}

/** `ABODE_INPUT`, and `ABODE_VAR_` before the name of each variable; without what does not fit. */
function environmentOf(input: unknown, variables: Variables): Record<string, string> {
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? null)
  const named = Object.entries(variables).filter(([name]) => variableName.test(name))
  const wanted: [string, string][] = [
    ['ABODE_INPUT', text],
    ...named.map(([name, value]): [string, string] => [`ABODE_VAR_${name}`, value]),
  ]
  const env: Record<string, string> = {}
  let left = environmentBytes
  for (const [name, value] of wanted) {
    const bytes = Buffer.byteLength(value)
    if (value.includes('\0') || bytes > valueBytes || name.length + bytes > left) continue
    left -= name.length + bytes
    env[name] = value
  }
  return env
}

/**
 * The result of a command: its standard output as text, without the line ends behind it. What it
 * wrote to its standard error becomes an event of the run.
 * @throws RunFailure `…_exit` with the exit code, `…_timeout`, `…_memory`, `…_output`, `…_unavailable`
 */
export async function resultOf(
  kind: Kind,
  work: Work,
  ending: Promise<CommandEnd>,
): Promise<Result> {
  try {
    const { exitCode, stdout, stderr, isCut } = await ending
    if (stderr) await work.note(`${kind}.stderr`, { text: stderr, cut: isCut })
    if (exitCode === 0) return { output: withoutLineEnds(stdout) }
    const text = stdout.slice(0, keptOfOutput).toWellFormed()
    if (text) await work.note(`${kind}.stdout`, { text, cut: stdout.length > keptOfOutput })
    throw new RunFailure(`${kind}_exit`, `The command ended with the exit code ${exitCode}.`)
  } catch (cause) {
    if (!(cause instanceof CommandFailure)) throw cause
    const { fault, message, stderr } = cause
    if (stderr) await work.note(`${kind}.stderr`, { text: stderr, cut: true })
    const status = fault === 'timeout' ? 'timed_out' : 'failed'
    throw new RunFailure(`${kind}_${fault}`, message, { cause, status })
  }
}

/** A runtime that is off. */
export function disabled(name: string, setting: string): RunFailure {
  const message = `The runtime "${name}" is switched off on this server. Its operator switches it on with ${setting}.`
  return new RunFailure('runtime_disabled', message)
}

/** A command ends its last line; an expression would look at each run of line ends to its end. */
function withoutLineEnds(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1
  return text.slice(0, end)
}
