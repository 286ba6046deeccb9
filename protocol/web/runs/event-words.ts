import { html, type Part } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { RunEventRecord } from '#src/runs/events.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { name, type Icon, type Look } from '#src/views/parts.ts'
import { looks, triggers } from '#src/views/run-words.ts'
import { runStatuses } from '#src/runs/run.ts'

/** An event of a run in words. */
export interface EventWords {
  words: Part
  tone: Look['tone']
  icon: Icon
  /** What it is about in full, with what it is called. */
  detail?: { label: string; value: unknown } | undefined
  /** The run that it started. */
  runId?: string | undefined
}

type Data = Readonly<Record<string, unknown>>

/** What an event says; of a kind that is not known here, its type and its data. */
export function eventWords({ type, data }: Pick<RunEventRecord, 'type' | 'data'>): EventWords {
  const own = Object.hasOwn(told, type) ? told[type] : undefined
  if (own) return { tone: 'calm', icon: 'dots', ...own(data) }
  const status = runStatuses.find((one) => type === `run.${one}`)
  if (status) return endWords(status, data)
  const isEmpty = Object.keys(data).length === 0
  const detail = isEmpty ? undefined : { label: 'What is known of it', value: data }
  return { words: name(type), tone: 'calm', icon: 'dots', detail }
}

function endWords(status: keyof typeof looks, { error, reason }: Data): EventWords {
  const { word, tone, icon } = looks[status]
  const code = isError(error) ? error.code : reason
  const why = typeof code === 'string' ? (failureWords(code)?.says ?? name(code)) : undefined
  return { words: html`${word}${why && html`: ${why}`}`, tone, icon }
}

function isError(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error
}

function textIn(data: Data, member: string): string {
  const value = data[member]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listIn(data: Data, member: string): string {
  const value = data[member]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : ''
}

/** Something that was to be done after the run, and was not. */
function left(words: Part, data: Data): Omit<EventWords, 'tone' | 'icon'> & Partial<EventWords> {
  return {
    words,
    tone: 'wait',
    icon: 'warning',
    detail: { label: 'What was left out', value: data },
  }
}

type Told = (data: Data) => Omit<EventWords, 'tone' | 'icon'> & Partial<EventWords>

const told: Readonly<Record<string, Told>> = {
  'run.queued': (data) => {
    const trigger = textIn(data, 'trigger')
    return {
      words: html`Asked for. What set it off:
      ${triggers.get(trigger)?.toLowerCase() ?? name(trigger)}`,
    }
  },
  'run.started': () => ({ words: 'Begun', icon: 'arrow' }),
  'run.retried': (data) => ({ words: `Begun again, attempt ${textIn(data, 'attempt')}` }),
  'run.handed_back': () => ({
    words: 'Put back in the queue, as the server stopped',
    tone: 'wait',
    icon: 'clock',
  }),
  'run.lease_expired': () => ({ words: 'Its worker fell silent', tone: 'wait', icon: 'clock' }),
  'run.waiting_approval': () => ({ words: 'Waits for an approval', tone: 'wait', icon: 'hand' }),
  'run.degraded': (data) => left(html`Goes on without ${name(listIn(data, 'tools'), 200)}`, data),
  'run.hooks_called': (data) => ({ words: html`Hooks called: ${name(textIn(data, 'event'))}` }),
  'approval.fell_back': () => ({ words: 'Another agent is asked for the approval', icon: 'hand' }),
  'model.request': (data) => ({
    words: html`The model is asked: ${name(textIn(data, 'model'))}`,
    icon: 'arrow',
  }),
  'lease.given': () => ({ words: 'An agent took it', icon: 'arrow' }),
  'model.text': (data) => ({
    words: 'The model writes',
    detail: { label: 'What it writes', value: textIn(data, 'text') },
  }),
  'model.turn': ({ step, usage, finish }) => {
    const { input_tokens = 0, output_tokens = 0 } = (usage ?? {}) as Record<string, number>
    const tokens = `${input_tokens} in, ${count(output_tokens, 'token')} out`
    return {
      words: html`Turn ${Number(step)} of the model:
      ${tokens}${typeof finish === 'string' && html` (${name(finish)})`}`,
    }
  },
  'model.retried': (data) => ({
    words: 'The model is asked again',
    tone: 'wait',
    icon: 'clock',
    detail: { label: 'Why', value: textIn(data, 'message') },
  }),
  'tool.called': (data) => ({
    words: html`Calls ${name(textIn(data, 'tool'))}`,
    icon: 'arrow',
    detail: { label: 'With', value: textIn(data, 'arguments') },
  }),
  'tool.answered': (data) => ({
    words: html`${name(textIn(data, 'tool'))} ${data['is_error'] === true ? 'failed' : 'answered'}`,
    tone: data['is_error'] === true ? 'bad' : 'good',
    icon: data['is_error'] === true ? 'cross' : 'check',
    detail: { label: 'The answer', value: textIn(data, 'result') },
  }),
  'tools.unavailable': (data) => left(html`Without ${name(textIn(data, 'name'))}`, data),
  'output.invalid': (data) => left('The answer does not have the form that is asked for', data),
  'output.cut': () => left('The answer was cut where it may be no longer', {}),
  'router.picked': (data) => ({ words: html`Picks the task ${name(textIn(data, 'task_id'))}` }),
  'router.fell_back': (data) => ({
    words: 'Picks the task by its words',
    detail: { label: 'Why', value: textIn(data, 'reason') },
  }),
  'step.queued': (data) => ({
    words: html`Step ${textIn(data, 'step')} of ${textIn(data, 'of')}:
    ${name(textIn(data, 'task_id'))}`,
    icon: 'arrow',
    runId: textIn(data, 'run_id'),
  }),
  'agent.called': (data) => ({
    words: html`Has ${name(textIn(data, 'agent_id'))} do ${name(textIn(data, 'task_id'))}`,
    icon: 'arrow',
    runId: textIn(data, 'run_id'),
  }),
  'message.sent': (data) => ({
    words: html`Sends a message to ${name(textIn(data, 'to'))}`,
    icon: 'arrow',
  }),
  'handoff.dropped': (data) =>
    left(html`Could not hand on to ${name(textIn(data, 'target_agent_id'))}`, data),
  'handoff.artifact_missing': (data) =>
    left(html`Had no file ${name(textIn(data, 'name'))} to hand on`, data),
  'social.dropped': (data) => left('Could not post', data),
  'memory.dropped': (data) => left('Could not remember', data),
  'artifact.dropped': (data) => left('A file was not kept', data),
  'hook.dropped': (data) => left('A hook was not called', data),
  'shell.stderr': (data) => ({
    words: 'The command wrote errors',
    tone: 'wait',
    icon: 'warning',
    detail: { label: 'What it wrote', value: data },
  }),
}

/** A part of what a model wrote. */
interface Written {
  answer: number
  at: number
  text: string
}

/** The parts of one answer of a model next to each other are one event, whichever way they are listed. */
export function joined(events: readonly RunEventRecord[]): RunEventRecord[] {
  const all: RunEventRecord[] = []
  for (const event of events) {
    const last = all.at(-1)
    const [before, now] = [last && writtenIn(last), writtenIn(event)]
    if (last && before && now && before.answer === now.answer) {
      const [first, second] = before.at <= now.at ? [before, now] : [now, before]
      const data = { ...last.data, at: first.at, text: first.text + second.text }
      all[all.length - 1] = { ...last, data }
    } else all.push(event)
  }
  return all
}

function writtenIn({ type, data }: RunEventRecord): Written | undefined {
  const { answer, at, text } = data
  if (type !== 'model.text' || typeof text !== 'string') return undefined
  return { answer: Number(answer), at: Number(at), text }
}
