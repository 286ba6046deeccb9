import { agentOperations } from '#src/catalog/agent-pages.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import type { Trigger } from '#src/agents/tasks/trigger.ts'
import { answered, told, type Terms } from '#protocol/web/ask.ts'
import { bytesIn } from '#protocol/web/input-text.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { agentOf, agentView } from '../frame.ts'
import { editScreen } from './edit.ts'
import { asTyped, linesIn, zoneHint, type EditField } from './form.ts'

/** A longer prompt is changed by programs. */
const promptBytesAtMost = 360_000

/** The page on which a person edits a task: what it asks, and when it comes. */
export function taskEditScreen(terms: Terms, id: string, taskId: string): ConsoleScreen {
  const place = { char_id: id, task_id: taskId }
  const { tasks } = agentOperations
  const read = (looking: Parameters<typeof agentOf>[0]) =>
    answered(terms, tasks.get, place, looking.as)
  return editScreen({
    here: terms.paths.agent(id, ['tasks', taskId, 'edit']),
    done: terms.paths.agent(id, ['tasks', taskId], { done: 'saved' }),
    note: 'The text of before is not kept for a single task: copy what you may need again.',
    async read(looking) {
      const [agent, task] = await Promise.all([agentOf(looking, id), read(looking)])
      return {
        revision: task.revision,
        fields: fieldsOf(task),
        framed: (there, main, status) =>
          agentView(there, agent, { part: 'tasks', about: 'Edit a task', main, status }),
      }
    },
    async save(looking, changed, expected) {
      const { triggers } = await read(looking)
      if ((changed.get('cron') ?? 'x').trim() === '' && changed.has('zone')) {
        return { problems: { zone: 'Without a schedule there is no time zone.' } }
      }
      const input = { ...place, task: patchOf(changed, triggers) }
      return told(terms, tasks.update, input, { ...looking.as, expected })
    },
  })
}

function fieldsOf(task: Task): EditField[] {
  const { name, description, prompt, model_override, tags, triggers } = task
  const line = (member: string, label: string, value: string | null): EditField => ({
    name: member,
    label,
    kind: 'line',
    value: asTyped(value),
    pointers: [`/task/${member}`],
  })
  const config = triggers.find(({ type }) => type === 'cron')?.config ?? {}
  const ofSchedule = { pointers: ['/task/triggers'] }
  const isShort = bytesIn(prompt) <= promptBytesAtMost
  return [
    line('name', 'Name', name),
    { ...line('description', 'What it is for', description), kind: 'text' },
    ...(isShort
      ? [
          {
            ...line('prompt', 'What it is asked', prompt),
            kind: 'text',
            hint: 'A name in double braces, such as {{topic}}, takes what a run is given under it.',
          } as const,
        ]
      : []),
    {
      ...line('cron', 'Schedule', textIn(config['cron'])),
      hint: 'Minute, hour, day, month and weekday, such as 30 6 * * 1-5; left empty, it has none.',
      ...ofSchedule,
    },
    {
      ...line('zone', 'By the clocks of', textIn(config['timezone'])),
      hint: zoneHint,
      pointers: [],
    },
    line('model_override', 'Model', model_override),
    { ...line('tags', 'Tags', tags.join('\n')), kind: 'text', hint: 'One on each line.' },
  ]
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The members that change; an empty text is none. */
function patchOf(
  changed: ReadonlyMap<string, string>,
  triggers: readonly Trigger[],
): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const [name, text] of changed) {
    if (name === 'tags') patch[name] = linesIn(text)
    else if (name === 'name' || name === 'prompt') patch[name] = text
    else if (name === 'cron' || name === 'zone') patch['triggers'] = triggersOf(changed, triggers)
    else patch[name] = text.trim() === '' ? null : text
  }
  return patch
}

/** The triggers with the first schedule among them changed, added or left out. */
function triggersOf(changed: ReadonlyMap<string, string>, triggers: readonly Trigger[]): Trigger[] {
  const at = triggers.findIndex(({ type }) => type === 'cron')
  const { config = {}, ...rest } = triggers[at] ?? { type: 'cron', enabled: true }
  const cron = (changed.get('cron') ?? textIn(config['cron'])).trim()
  const timezone = (changed.get('zone') ?? textIn(config['timezone'])).trim()
  const made: Trigger = {
    ...rest,
    config: { ...config, cron, timezone: timezone === '' ? null : timezone },
  }
  if (cron === '') return triggers.filter((_, index) => index !== at)
  return at < 0 ? [...triggers, made] : triggers.with(at, made)
}
