import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tellUntold } from '#src/runs/notices/tell.ts'
import { newsWrite } from '#src/runs/told/news.ts'
import { postNews } from '#src/runs/told/post.ts'
import type { Kind } from '#src/runs/told/kinds.ts'
import { mailing } from '#src/work/mails.ts'
import { newsGatherer } from '#src/work/news.ts'
import { runner } from '#src/work/runner.ts'
import { openMailer } from '#adapters/mail/mailer.ts'
import { readConfig } from '#adapters/config/read.ts'
import { postedTo } from '#tests/accounts/mail/posted.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startMailServer, type MailServer } from '#tests/support/mail/server.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(stores())('what persons are told of, on $name', (kind) => {
  let server: MailServer
  let clock: FakeClock
  let world: World
  let ada: SignedInPerson

  beforeEach(async () => {
    server = await startMailServer()
    const { mail } = readConfig({
      ABODE_SMTP_URL: server.url,
      ABODE_MAIL_FROM: 'abode@example.org',
    })
    const opened = await kind.open()
    clock = fakeClock(Date.parse('2027-03-27T21:30:00.000Z'))
    const now = () => Promise.resolve(clock.now())
    world = openWorld({ ...opened, now, leaseTime: now }, { clock })
    world.ports.mailer = mail ? openMailer(mail) : null
    ada = await signedInPerson(world.ports)
    await verify(true)
  })
  afterEach(async () => {
    world.ports.mailer?.close()
    await world.ports.store.close()
    await server.close()
  })

  const verify = (email_verified: boolean) =>
    world.ports.store.persons.update({ id: ada.id }, { $set: { email_verified } })
  const happened = (what: Kind, ids: readonly string[]): Promise<void> => {
    const items = ids.map((id) => ({
      kind: what,
      char_id: 'ada',
      task_id: 't',
      run_id: id,
      approval_id: what === 'approval_waiting' ? id : null,
    }))
    const news = { owner_id: ada.account_id, kind: what, count: ids.length, items }
    return world.ports.store.commit([newsWrite(news, clock.now())])
  }
  const choose = (input: object) => world.ask('notifications.update', input, { token: ada.token })
  /** Two processes do what is due. */
  const worked = async (): Promise<void> => {
    await Promise.all([newsGatherer(world.ports)(), newsGatherer(world.ports)()])
    await newsGatherer(world.ports)()
    await Promise.all([postNews(world.ports), postNews(world.ports)])
  }
  const posted = () => postedTo(world.ports, ada.email)
  const after = async (milliseconds: number) => {
    await clock.advance(milliseconds)
    await worked()
    return (await posted()).length
  }

  it('gathers forty failures of a minute into one mail, which is tried until it is taken', async () => {
    const runs = Array.from({ length: 40 }, (_, nth) => `run_${nth}`)
    await happened('run_failed', runs.slice(0, 25))
    await worked()
    await happened('run_failed', runs.slice(25))
    expect(await after(minute - 1)).toBe(0)
    expect(await after(1)).toBe(1)
    const [mail] = await posted()
    expect(mail?.subject).toBe('40 runs failed')
    const links = mail?.text.match(/\/runs\/run_\d+$/gm)
    expect(links).toHaveLength(10)
    expect(mail?.text).toContain(`and 30 more: ${world.ports.settings.publicUrl}/needs-you`)
    const { mailer } = world.ports
    if (!mailer) throw new Error('there is no mailer')
    const sending = mailing({ ...world.ports, mailer }, () => undefined)
    server.refuses = { code: 451, message: 'come again' }
    await sending.tick()
    await until(() => server.tries === 1)
    await until(async () => (await world.ports.store.mails.count({ claim: null })) === 1)
    server.refuses = undefined
    await clock.advance(minute)
    await sending.tick()
    await until(() => server.mails.length === 1)
    await sending.stop()
    // As RFC 8058 has it.
    const raw = server.mails[0]?.raw ?? ''
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const { publicUrl } = world.ports.settings
    expect(raw.replaceAll(/\r\n\s+/g, ' ')).toContain(
      `List-Unsubscribe: <${publicUrl}/unsubscribe/`,
    )
    expect(await after(hour)).toBe(0)
  })

  it('tells of a run that fails and of an approval that waits, from end to end', async () => {
    const { token } = ada
    const [name, runtime, prompt] = ['T', 'api', 'Of {{missing}}']
    const fails = { task_id: 'fails', name, runtime, prompt, api_url: 'https://a.example' }
    const gate = { approval_gate: { requires_approval: true } }
    const asks = { task_id: 'asks', name, runtime: 'template', prompt: 'Said', ...gate }
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [fails, asks] } }
    await world.ask('characters.create', { character }, { token })
    const worker = runner(world.ports, 1)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    const { store } = world.ports
    for (const task_id of ['fails', 'asks']) {
      await world.ask('tasks.run', { char_id: 'ada', task_id }, { token })
    }
    await until(async () => (await store.approvals.count({})) === 1)
    await until(async () => (await store.runs.count({ status: 'failed' })) === 1)
    await worker.stop()
    const [failed] = await store.runs.find({ status: 'failed' })
    await clock.advance(minute)
    await tellUntold(world.ports)
    await worked()
    expect(await after(minute)).toBe(1)
    const [mail] = await posted()
    expect(mail?.subject).toBe('An approval waits, a run failed')
    expect(mail?.text).toContain(`/runs/${failed?.id}`)
    expect(mail?.text).toMatch(/\/approvals\/apr_/)
  })

  it('keeps it in quiet hours, over midnight and while clocks are put forward', async () => {
    const quiet = { from: '22:00', to: '02:30', timezone: 'Europe/Berlin' }
    await choose({ quiet_hours: quiet })
    await happened('run_failed', ['run_1'])
    await worked()
    // 02:30 is left out in that night: the hours end as it becomes 03:00, at 01:00 UTC.
    expect(await after(3.5 * hour - 1)).toBe(0)
    expect(await after(1)).toBe(1)
    await clock.advance(20 * hour)
    await choose({ quiet_hours: { ...quiet, approvals_pass: true } })
    await happened('run_failed', ['run_2'])
    await worked()
    await happened('approval_waiting', ['apr_1'])
    await worked()
    expect(await after(minute)).toBe(2)
    const [mail] = await posted()
    expect(mail?.subject).toBe('An approval waits, a run failed')
    expect(mail?.text).toContain('/approvals/apr_1')
  })

  it('tells only who has a verified address, wants it and is still a member', async () => {
    await verify(false)
    await happened('run_failed', ['run_1'])
    await worked()
    expect(await after(minute)).toBe(0)
    await verify(true)
    await happened('agent_paused', ['run_2'])
    await worked()
    expect(await after(minute)).toBe(0)
    await happened('run_failed', ['run_3'])
    await worked()
    await choose({ kinds: { run_failed: { mail: false } } })
    expect(await after(minute)).toBe(0)
    expect(await world.ports.store.tellings.count({})).toBe(0)
    expect(await world.ports.store.news.count({})).toBe(0)
  })

  it('waits for room once someone had many mails in an hour, and loses nothing', async () => {
    for (let nth = 0; nth < 25; nth++) {
      await happened('run_failed', [`run_${nth}`])
      await worked()
      await after(minute)
    }
    expect((await posted()).length).toBe(20)
    expect(await after(hour)).toBe(21)
    expect((await posted())[0]?.subject).toBe('5 runs failed')
  })
})
