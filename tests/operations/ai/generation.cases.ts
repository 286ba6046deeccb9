import { expect } from 'vitest'
import { brainThat } from '#tests/support/stand-in-models.ts'
import { agent, agentRefusals, given, needsKey, type Case, type Stage } from '../case.ts'

const words = 'Words of the stand-in'

const thatWrites = (stage: Stage): Promise<string> =>
  agent(stage, 'ada', { bio: 'Reads.', brain: brainThat('writes') })

/** A run that is to write the bio of an agent, leased. */
async function leasedWriting(stage: Stage, subject: object = { field: 'bio' }) {
  const char_id = await agent(stage, 'ada', { bio: 'Reads the tides.' })
  const op = 'section' in subject ? 'ai.generate_section' : 'ai.generate'
  await stage.ask(op, { character_id: char_id, ...subject, lease: true })
  const { run, lease_token } = await stage.ask('runs.lease', { char_id })
  return { char_id, run_id: String(run.id), lease_token: String(lease_token) }
}

const isSame = async (char_id: string, stage: Stage): Promise<void> => {
  const now = await stage.ask('characters.get', { char_id })
  expect(now).toMatchObject({ bio: 'Reads.', revision: 1, personality: null })
}

interface Half {
  op: string
  subject: object
  answers: object
}

const halves: Half[] = [
  {
    op: 'ai.generate',
    subject: { field: 'bio' },
    answers: { field: 'bio', value: words, applied: false },
  },
  {
    op: 'ai.generate_section',
    subject: { section: 'skills' },
    answers: { section: 'skills', values: { skills: [words] } },
  },
]

const ofBoth = halves.flatMap(({ op, subject, answers }): Case[] => [
  given({
    op,
    title: 'the model of the agent writes, and nothing of the agent is changed',
    as: 'owner',
    given: thatWrites,
    input: (character_id) => ({ character_id, ...subject }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toEqual(answers)
      await isSame(char_id, stage)
    },
  }),
  given({
    op,
    title: 'a key of the agent may ask too',
    as: 'scoped',
    given: async (stage) => {
      const id = await thatWrites(stage)
      await stage.scopeTo(id)
      return id
    },
    input: (character_id) => ({ character_id, ...subject }),
    answer: (answer) => expect(answer).toEqual(answers),
  }),
  given({
    op,
    title: 'with lease it becomes a run that waits for an agent, also where a model could do it',
    as: 'owner',
    given: thatWrites,
    input: (character_id) => ({ character_id, ...subject, lease: true }),
    answer: async (answer, char_id, stage) => {
      expect(answer).toMatchObject({
        status: 'queued',
        reason: 'waiting_for_worker',
        char_id,
        task_id: null,
        input: subject,
        trigger: { type: 'generation' },
      })
      const { items } = await stage.ask('runs.list', { char_id })
      expect(items).toEqual([answer])
      const cancelled = await stage.ask('runs.cancel', { run_id: answer.id })
      expect(cancelled).toMatchObject({ status: 'cancelled', task_id: null })
    },
  }),
  given({
    op,
    title: 'without a provider it says how to do without',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (character_id) => ({ character_id, ...subject }),
    refusal: 'provider_not_configured',
    error: (error) => expect(error.hint).toContain('lease: true'),
  }),
  given({
    op,
    title: 'a provider that takes no more says when it may be asked again',
    as: 'owner',
    given: (stage) => agent(stage, 'ada', { brain: brainThat('is-away') }),
    input: (character_id) => ({ character_id, ...subject }),
    refusal: 'provider_unavailable',
    error: (error) => expect(error.retry_after_s).toBe(7),
  }),
  ...(['babbles', 'declines'] as const).map((acts) =>
    given({
      op,
      title: `a model that ${acts} has written nothing`,
      as: 'owner',
      given: (stage) => agent(stage, 'ada', { brain: brainThat(acts) }),
      input: (character_id) => ({ character_id, ...subject }),
      refusal: 'generation_failed',
    }),
  ),
  ...[{ ...subject, nonsense: 1 }, { field: 'secrets' }, { section: 'heart' }, {}].map((sent) =>
    given({
      op,
      title: `what cannot be written is refused: ${JSON.stringify(sent)}`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (character_id) => ({ character_id, ...sent }),
      refusal: 'invalid_input',
    }),
  ),
  ...agentRefusals(op, (character_id) => ({ character_id, ...subject })),
  ...needsKey(op, { character_id: 'ada', ...subject }),
])

const leases: Case[] = [
  given({
    op: 'runs.lease',
    title: 'the lease of a writing carries the profile and the schema',
    as: 'owner',
    given: async (stage) => {
      const char_id = await agent(stage, 'ada', {
        bio: 'Reads the tides.',
        brain: { mcps: [{ name: 'm', url: 'https://m.example/', env: { TOKEN: 'marker-env' } }] },
      })
      await stage.ask('ai.generate', { character_id: char_id, field: 'skills', lease: true })
      return char_id
    },
    input: (char_id) => ({ char_id }),
    answer: (answer, char_id) => {
      expect(answer.run).toMatchObject({ char_id, task_id: null, status: 'running', attempt: 1 })
      expect(answer).toMatchObject({ tools: [], knowledge: [] })
      const prompt = (answer as unknown as { prompt: string }).prompt
      expect(prompt).toContain('"skills"')
      expect(prompt).toContain('Reads the tides.')
      expect(prompt).toContain('{"type":"array","items":{"type":"string"}}')
      expect(JSON.stringify(answer)).not.toContain('marker-env')
    },
  }),
  given({
    op: 'runs.complete',
    title: 'what a leased writing brings is its value, and the profile stays',
    as: 'owner',
    given: (stage) => leasedWriting(stage),
    input: ({ run_id, lease_token }) => ({ run_id, lease_token, output: 'Reads tides and stars.' }),
    answer: async (answer, { char_id }, stage) => {
      expect(answer).toMatchObject({
        status: 'completed',
        task_id: null,
        output: { field: 'bio', value: 'Reads tides and stars.', applied: false },
      })
      const now = await stage.ask('characters.get', { char_id })
      expect(now).toMatchObject({ bio: 'Reads the tides.', revision: 1 })
    },
  }),
  given({
    op: 'runs.complete',
    title: 'a list may be written as JSON in a text',
    as: 'owner',
    given: (stage) => leasedWriting(stage, { section: 'skills' }),
    input: ({ run_id, lease_token }) => ({
      run_id,
      lease_token,
      output: '```json\n{"skills": ["reading"]}\n```',
    }),
    answer: (answer) =>
      expect(answer).toMatchObject({
        output: { section: 'skills', values: { skills: ['reading'] } },
      }),
  }),
  ...[
    [{ field: 'bio' }, '   ', '/output'],
    [{ field: 'bio' }, { value: 'x' }, '/output'],
    [{ field: 'bio' }, null, '/output'],
    [{ field: 'name' }, 'A\u202e', '/output'],
    [{ field: 'skills' }, [], '/output'],
    [{ field: 'skills' }, ['a', 7], '/output/1'],
    [{ section: 'skills' }, { skills: ['a'], more: 1 }, '/output/more'],
    [{ section: 'personality' }, { traits: ['kind'] }, '/output/communication_style'],
  ].map(([subject, output, pointer]) =>
    given({
      op: 'runs.complete',
      title: `${JSON.stringify(output)} is not what ${JSON.stringify(subject)} wants`,
      as: 'owner',
      given: (stage) => leasedWriting(stage, subject as object),
      input: ({ run_id, lease_token }) => ({ run_id, lease_token, output }),
      refusal: 'invalid_input',
      error: (error) => expect(error.errors?.[0]?.pointer).toBe(pointer),
    }),
  ),
]

export const generation: Case[] = [...ofBoth, ...leases]
