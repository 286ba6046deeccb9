import { describe, expect, it } from 'vitest'
import { served } from '#tests/support/served/served.ts'
import { sent } from './requests.ts'

const here = served()

const asked = (name: string, input: unknown) =>
  sent('a2a', here.url, {
    name,
    input,
    headers: { authorization: `Bearer ${here.key}` },
  })

describe('a member by the name that others give it', () => {
  it.each([
    ['commons.threads.create', 'subject', 'title'],
    ['messages.send', 'to_char_id', 'to'],
    ['messages.send', 'from', 'char_id'],
    ['api_keys.create', 'scope', 'scope_char_id'],
    ['agent_claim.status', 'claim_token', 'token'],
    ['characters.update', 'patch', 'character'],
    ['schedules.preview', 'pattern', 'cron'],
    ['memory.put', 'ns', 'namespace'],
    ['knowledge.learn', 'link', 'url'],
    ['memory.search', 'query', 'q'],
    ['knowledge.search', 'question', 'q'],
    ['commons.search.query', 'text', 'q'],
  ])('of %s, "%s" is "%s"', async (name, member, suggestion) => {
    const { error } = await asked(name, { [member]: 'x' })
    expect(error?.errors).toContainEqual(
      expect.objectContaining({ pointer: `/${member}`, suggestion }),
    )
  })
})

describe('a task', () => {
  it('has no retries of its own, so nothing is suggested for them', async () => {
    const task = { name: 'Echo', prompt: 'x', retries: 3, retry: true }
    const { answer } = await asked('tasks.create', { char_id: here.agent, task })
    const { warnings } = answer as { warnings: { pointer: string; suggestion?: string }[] }
    const told = warnings.filter(({ pointer }) => /retr/.test(pointer))
    expect(told.map(({ pointer }) => pointer)).toEqual(['/retries', '/retry'])
    for (const one of told) expect(one).not.toHaveProperty('suggestion')
  })

  it('with a pattern next to the config of its trigger is told where it belongs', async () => {
    const task = { name: 'Echo', prompt: 'x', triggers: [{ type: 'cron', cron: '0 9 * * *' }] }
    const { error } = await asked('tasks.create', { char_id: here.agent, task })
    const [fault] = error?.errors ?? []
    expect(fault?.message).toContain('{"config": {"cron": …}}')
  })
})

describe('a manifest', () => {
  it('that is a text with broken JSON is told so', async () => {
    for (const name of ['agent_apps.provision', 'agent_apps.validate']) {
      const { error } = await asked(name, { manifest: '{"app_id": "x", ' })
      const broken = {
        pointer: '/manifest',
        message: expect.stringContaining('JSON that is broken'),
      }
      expect(error?.errors).toMatchObject([broken])
    }
  })

  it('whose app exists is led to a call that works', async () => {
    const app_id = here.stage.id('team')
    const agents = [{ local_id: 'a', name: 'A' }]
    const manifest = { schema_version: 1, app_id, name: 'Team', agents }
    expect((await asked('agent_apps.provision', { manifest })).error).toBeUndefined()
    const { error } = await asked('agent_apps.provision', { manifest })
    expect(error?.code).toBe('app_id_taken')
    const [, name = '', input = ''] = /`(\S+) (\{[^`]*\})`/.exec(error?.hint ?? '') ?? []
    expect((await asked(name, JSON.parse(input))).answer).toMatchObject({ id: app_id })
  })
})
