import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'
import { taskWarnings } from '#src/agents/tasks/warnings.ts'
import { characterWarnings } from '#src/agents/warnings.ts'

const objection = () => undefined

/** What is told of an agent, by pointer, with where each member belongs. */
function toldOf(members: object): Record<string, string | undefined> {
  const agent = CharacterInput.parse({ name: 'Ada', ...members })
  const told = characterWarnings(agent, { objection })
  return Object.fromEntries(told.map(({ pointer, suggestion }) => [pointer, suggestion]))
}

function toldOfTask(members: object): Record<string, string | undefined> {
  const task = TaskInput.parse({ name: 'Greet', ...members })
  const told = taskWarnings(task, { objection })
  return Object.fromEntries(told.map(({ pointer, suggestion }) => [pointer, suggestion]))
}

describe('a member that nothing acts on', () => {
  test('is told with where it belongs, on an agent', () => {
    expect(
      toldOf({
        tasks: [],
        systemPrompt: 'Be kind.',
        instructions: 'Be kind.',
        model: 'm',
        schedule: '0 9 * * *',
        handoffs: [],
        fullName: 'Ada Lovelace',
        brain: { model: 'm', systemPromptOverride: 'Be kind.' },
        heart: { cron: '0 9 * * *' },
        visibilty: 'public',
        visibility: { chat: 'public' },
      }),
    ).toEqual({
      '/tasks': 'heart.tasks',
      '/systemPrompt': 'brain.system_prompt_override',
      '/instructions': 'brain.system_prompt_override',
      '/model': 'brain.llm_model',
      '/schedule': 'heart.tasks[].triggers',
      '/handoffs': 'heart.tasks[].output_sharing',
      '/fullName': 'full_name',
      '/brain/model': 'llm_model',
      '/brain/systemPromptOverride': 'system_prompt_override',
      '/heart/cron': 'tasks[].triggers',
      '/visibilty': 'visibility',
      '/visibility/chat': 'ability_access.chat',
    })
  })

  test('is told with where it belongs, on a task', () => {
    const task = {
      taskId: 'greet',
      cron: '0 9 * * *',
      next: 'b',
      instructions: 'Greet.',
      approve: true,
    }
    const expected = {
      approve: 'approval_gate.requires_approval',
      taskId: 'task_id',
      cron: 'triggers',
      next: 'output_sharing',
      instructions: 'prompt',
    }
    const under = (at: string) =>
      Object.fromEntries(Object.entries(expected).map(([name, to]) => [`${at}/${name}`, to]))
    expect(toldOfTask(task)).toEqual(under(''))
    expect(toldOf({ heart: { tasks: [{ name: 'Greet', ...task }] } })).toEqual(
      under('/heart/tasks/0'),
    )
  })

  test('is told with the config that it belongs into', () => {
    const triggers = [
      { type: 'event', event: 'run.completed', config: { event: 'run.completed' } },
      { type: 'cron', timezone: 'Europe/Berlin', config: { cron: '0 9 * * *' } },
      { type: 'cron', config: { cron: '0 9 * * *', tz: 'Europe/Berlin' } },
    ]
    const tools = [{ type: 'agent', name: 'ask', agent_id: 'b' }]
    expect(toldOfTask({ prompt: 'Greet.', triggers, tools })).toEqual({
      '/triggers/0/event': 'config.event',
      '/triggers/1/timezone': 'config.timezone',
      '/triggers/2/config/tz': 'timezone',
      '/tools/0/agent_id': 'config.agent_id',
    })
  })

  test('is not told if the caller marks it as their own, or only the platform sets it', () => {
    const own = { 'x-colour': 1, 'X-Colour': 1, metadata: { tasks: [] } }
    const tools = [{ type: 'http', name: 'get', config: { tasks: [] } }]
    expect(toldOf({ ...own, brain: { plugins: [{ name: 'web_search', config: own }] } })).toEqual(
      toldOf({ brain: { plugins: [{ name: 'web_search' }] } }),
    )
    expect(Object.keys(toldOfTask({ ...own, tools }))).not.toContain('/metadata')
    const kept = { revision: 1, created_at: 'then', warnings: [] }
    const agent = CharacterInput.parse({ name: 'Ada', ...kept })
    const codes = characterWarnings(agent, { objection }).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['member_ignored']))
  })

  test('is told by its name, as it is, for any name', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => !/^x-/i.test(name))
    fc.assert(
      fc.property(names, (name) => {
        const told = toldOf({ [`zzz${name}`]: { zzz: [] } })
        const step = `zzz${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
        expect(Object.keys(told)).toEqual([`/${step}`])
      }),
    )
  })

  test('is one of a thousand at most', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`zzz${i}`, 1]))
    expect(Object.keys(toldOf(many))).toHaveLength(1000)
  })
})
