import { describe, expect, test } from 'vitest'
import { manifest } from '#tests/support/served/calls.ts'
import { served } from '#tests/support/served/served.ts'

const here = served({ character: { id: 'flat' } })

interface Answered {
  answer: Record<string, unknown> | undefined
  /** The pointers of the faults of a refusal. */
  faults: unknown
}

const doors: Readonly<Record<string, (name: string, input: object) => Promise<Answered>>> = {
  async MCP(name, input) {
    const { result, isError } = await here.calls.mcp(name.replaceAll('.', '_'), input)
    const said = result as {
      structuredContent?: Record<string, unknown>
      _meta?: { 'abode/error'?: { errors?: unknown } }
    }
    const answer = isError ? undefined : said.structuredContent
    return { answer, faults: said._meta?.['abode/error']?.errors }
  },
  async A2A(name, input) {
    const { result, error } = await here.calls.a2a(name, input)
    const data = error?.data as { errors?: unknown } | undefined
    return { answer: result, faults: data?.errors }
  },
}

describe.each(Object.entries(doors))('over %s a flat document', (door, ask) => {
  const warned = (pointer: string) =>
    expect.arrayContaining([
      expect.objectContaining({ code: 'unknown_member', pointer }),
      expect.objectContaining({ code: 'understood' }),
    ])

  test('of an agent keeps an additional member, and tells it', async () => {
    const { answer } = await ask('characters.create', { name: 'fl', model: 'x' })
    expect(answer).toMatchObject({ name: 'fl', model: 'x', warnings: warned('/model') })
  })

  test('of a task keeps an additional member, and tells it', async () => {
    const task = { char_id: 'flat', name: 'T', prompt: 'p', cron: '0 9 * * *' }
    const { answer } = await ask('tasks.create', task)
    expect(answer).toMatchObject({ cron: '0 9 * * *', warnings: warned('/cron') })
  })

  test('of an app keeps an additional member, and tells it', async () => {
    const { answer } = await ask('agent_apps.provision', {
      ...manifest(`flat-${door.toLowerCase()}`),
      workflow: 1,
    })
    expect(answer).toMatchObject({ warnings: warned('/workflow') })
  })

  test('with a misspelled member of the input is refused for that one alone', async () => {
    const { faults } = await ask('agent_apps.provision', { ...manifest('never'), dry_rum: true })
    expect(faults).toEqual([
      expect.objectContaining({ pointer: '/dry_rum', suggestion: 'dry_run' }),
    ])
  })

  test('that takes no other members is refused for those alone', async () => {
    const { faults } = await ask('characters.visibility.update', {
      char_id: 'flat',
      profile_visibility: 'public',
      colour: 'red',
    })
    expect(faults).toEqual([expect.objectContaining({ code: 'unknown_member' })])
    expect(JSON.stringify(faults)).toContain('colour')
  })

  test('is none where not one of its members is there', async () => {
    const { faults } = await ask('characters.create', { colour: 'red' })
    expect(faults).toContainEqual(expect.objectContaining({ pointer: '/character' }))
  })
})
