import { describe, expect, it } from 'vitest'
import { draftOf } from '#src/agents/imports/draft.ts'
import {
  agentCard,
  earlierAgentCard,
  elizaCharacter,
  firstCard,
  secondCard,
  thirdCard,
} from './samples.ts'

const draft = (content: unknown) => draftOf(Buffer.from(JSON.stringify(content)))

const samples = Object.entries({
  secondCard,
  thirdCard,
  firstCard,
  elizaCharacter,
  agentCard,
  earlierAgentCard,
})

/** Every text of a value, with its pointer. */
function textsIn(value: unknown, at = ''): [string, string][] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [[at, value.trim()]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, `${at}/${name}`))
}

describe('a file of another format', () => {
  it.each(samples)('loses no text but what is told of: %s', (_, sample) => {
    const { input, report } = draft(sample)
    const kept = JSON.stringify(input)
    const dropped = report.dropped.map(({ pointer }) => pointer)
    const said = ['/spec', '/spec_version']
    const lost = textsIn(sample).filter(
      ([at, text]) =>
        !said.includes(at) &&
        !dropped.some((pointer) => at.startsWith(pointer)) &&
        !kept.includes(JSON.stringify(text).slice(1, -1)),
    )
    expect(lost).toEqual([])
  })

  it.each(samples)('tells of every member where it went: %s', (_, sample) => {
    const { report } = draft(sample)
    const told = [
      ...report.mapped.map(({ from }) => from),
      ...report.kept_as_extension,
      ...report.dropped.map(({ pointer }) => pointer),
    ]
    const repeated = ['/spec', '/spec_version', '/name', '/creatorcomment']
    const untold = textsIn(sample).filter(
      ([at]) =>
        !repeated.includes(at) &&
        !told.some((pointer) => at === pointer || at.startsWith(`${pointer}/`)),
    )
    expect(untold).toEqual([])
  })

  it.each(samples)('keeps what it has no place for where it stood: %s', (_, sample) => {
    const { input, report } = draft(sample)
    for (const pointer of report.kept_as_extension) {
      const path = [report.format, ...pointer.slice(1).split('/')]
      const step = (value: unknown, name: string): unknown =>
        (value as Record<string, unknown> | undefined)?.[name]
      const original = path.slice(1).reduce(step, sample as unknown)
      expect([pointer, path.reduce(step, input.extensions)]).toEqual([
        pointer,
        expect.anything() as unknown,
      ])
      if (report.dropped.length === 0 && typeof original === 'string') {
        expect(path.reduce(step, input.extensions)).toBe(original)
      }
    }
  })
})

describe('the system prompt of a card', () => {
  const prompt = draft(secondCard).input.brain?.system_prompt_override ?? ''

  it('holds what cards put before a conversation, with names in the places for them', () => {
    expect(prompt.split('\n\n')).toEqual([
      'You are Mira Vale. Answer in one paragraph.',
      'Mira Vale draws maps of coasts that the user has never seen.',
      "Mira Vale's personality: patient, curious, dry",
      'Scenario: A harbour office after closing time.',
      'Always true:\nThe lamp burns oil.',
      'The tide is six hours.',
      'How Mira Vale speaks:\n<START>\nthe user: Which way?\nMira Vale: North, as ever.',
      'How Mira Vale opens a conversation:\n*looks up* You are late, the user.',
      'Stay in the harbour.',
    ])
  })

  it('holds neither notes nor tags', () => {
    expect(prompt).not.toMatch(/map at hand|cartographer/)
  })

  it('leaves other macros alone', () => {
    const data = { name: 'Ana', description: '{{random:a,b}} {{secret.KEY}} {{CHAR}}' }
    const made = draft({ spec: 'chara_card_v2', data }).input
    expect(made.bio).toBe('{{random:a,b}} {{secret.KEY}} Ana')
  })
})

describe('an elizaOS character', () => {
  it('speaks as its examples do', () => {
    const prompt = draft(elizaCharacter).input.brain?.system_prompt_override ?? ''
    expect(prompt).toContain('You answer for the harbour.')
    expect(prompt).toContain('Was once a lighthouse.')
    expect(prompt).toContain('the user: Is there room?\nHarbour Bot: At berth 2.')
    expect(prompt).toContain('Harbour Bot knows:\nBerth 4 is closed.')
  })

  it.each([
    [[{ user: 'a', content: { text: 'one' } }], 'a: one'],
    [[{ examples: [{ name: 'a', content: { text: 'one' } }] }], 'a: one'],
    [[['a text']], 'a text'],
    ['a text', ''],
    [[null, 7, {}, [null]], ''],
  ])('is read however its examples are nested: %j', (messageExamples, said) => {
    const { input } = draft({ name: 'E', bio: 'b', messageExamples })
    expect(input.brain?.system_prompt_override).toContain(said)
  })

  it('is known by its minimum', () => {
    const { input, report } = draft({ name: 'E', bio: 'Cooks.', plugins: ['@elizaos/plugin-x'] })
    expect(report.format).toBe('elizaos')
    expect(input.bio).toBe('Cooks.')
  })
})

describe('an object that is nearly an agent', () => {
  const nearly = {
    name: 42,
    id: 'not an id',
    skills: 'cooking',
    bio: ['one', 'two'],
    tools: null,
    knowledge_domains: [null, 'soup'],
    brain: { temperature: '3', max_tokens: 1e9, mcps: [{ url: 'https://x.example' }] },
    visibility: { profile_visibility: 'everybody', allow_cloning: true },
    heart: {
      timezone: 'Middle/Earth',
      tasks: [
        { name: 'Gated', approval_gate: { requires_approval: 'perhaps' } },
        {
          name: 'Hourly',
          triggers: [
            { type: 'cron', config: { cron: '@hourly' } },
            { type: 'manual', enabled: 'false' },
          ],
        },
        { task_id: 'same', name: 'A' },
        { task_id: 'same', name: 'B' },
      ],
    },
  }
  const { input, report } = draft(nearly)

  it('is taken as it was meant', () => {
    expect(input).toMatchObject({
      name: '42',
      id: null,
      skills: ['cooking'],
      bio: 'one\ntwo',
      tools: [],
      knowledge_domains: ['soup'],
      brain: { temperature: 2, max_tokens: 128_000, mcps: [] },
      heart: { timezone: null },
    })
  })

  it('gives up what would act otherwise than it says', () => {
    expect(input.visibility).toBeNull()
    expect(input.heart?.tasks.map(({ name, task_id }) => [name, task_id])).toEqual([
      ['Hourly', null],
      ['A', 'same'],
      ['B', null],
    ])
    expect(input.heart?.tasks[0]?.triggers).toMatchObject([{ type: 'manual', enabled: false }])
  })

  it('keeps what it gave up, and says so', () => {
    const extensions = input.extensions as { abode: Record<string, unknown> }
    expect(Object.keys(extensions.abode).sort()).toEqual([...report.kept_as_extension].sort())
    expect(extensions.abode).toMatchObject({
      '/visibility': nearly.visibility,
      '/heart/tasks/0': { name: 'Gated' },
    })
  })
})

describe('what only stands for a secret', () => {
  it('leaves a trigger that is off', () => {
    const trigger = { type: 'webhook', config: { path: 'in', secret: '***' } }
    const { input, warnings } = draft({
      name: 'A',
      heart: { tasks: [{ name: 'T', triggers: [trigger] }] },
    })
    expect(input.heart?.tasks[0]?.triggers).toMatchObject([
      { enabled: false, config: { path: 'in' } },
    ])
    expect(warnings).toMatchObject([{ code: 'secret_lost' }])
  })

  it('is no real one, which goes to its safe place', () => {
    const trigger = { type: 'webhook', config: { path: 'in', secret: 'a-real-one' } }
    const { input } = draft({ name: 'A', heart: { tasks: [{ name: 'T', triggers: [trigger] }] } })
    expect(input.heart?.tasks[0]?.triggers[0]?.config.secret).toBe('a-real-one')
  })
})
