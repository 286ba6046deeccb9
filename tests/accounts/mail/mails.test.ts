import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMailer, type Patience } from '#adapters/mail/mailer.ts'
import { readConfig } from '#adapters/config/read.ts'
import { mailTo, type Letter } from '#src/accounts/mail/mail.ts'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import { mailing, type Mailing } from '#src/work/mails.ts'
import { upkeep } from '#src/work/upkeep.ts'
import type { Mailer } from '#src/ports/mail/mailer.ts'
import type { Log } from '#src/ports/log.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { startMailServer, type MailServer } from '#tests/support/mail/server.ts'
import { stores, type StoreKind } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, silent, type World } from '#tests/support/world.ts'

const ABODE_MAIL_FROM = 'abode@example.org'
const letter: Letter = {
  kind: 'reset',
  to: 'ada@example.org',
  accountId: null,
  subject: 'Wörds, on\r\nBcc: eve@example.org',
  text: `A line.\n\nhttps://abode.example/${'long/'.repeat(20)}\n.\n`,
  holdsSeconds: 86_400,
}

describe.each(stores())('mails on $name', (kind: StoreKind) => {
  let server: MailServer
  let clock: FakeClock
  let world: World
  let sending: Mailing
  let said: string[]

  const mailerAt = (url: string, patience?: Patience): Mailer => {
    const { mail } = readConfig({ ABODE_SMTP_URL: url, ABODE_MAIL_FROM })
    if (!mail) throw new Error('no mail is configured')
    return openMailer(mail, patience)
  }
  const open = async (patience?: Patience): Promise<void> => {
    said = []
    const note = (message: string, about?: object) =>
      void said.push(`${message} ${JSON.stringify(about)}`)
    const log: Log = { ...silent, warn: note, error: note }
    world = openWorld(await kind.open(), { clock, log })
    send(mailerAt(server.url, patience))
  }
  /** What is due is sent by this from now on. */
  const send = (mailer: Mailer): void => {
    world.ports.mailer?.close()
    world.ports.mailer = mailer
    sending = mailing({ ...world.ports, mailer }, () => undefined)
  }
  const post = async (more: Partial<Letter> = {}): Promise<void> =>
    world.ports.store.commit(await mailTo(world.ports, { ...letter, ...more }))
  /** Everything that is due is tried. */
  const tried = async (): Promise<void> => {
    const taken = await sending.tick()
    expect(taken).toBeGreaterThan(0)
    await settled()
  }
  const settled = (): Promise<void> =>
    until(async () => (await world.ports.store.mails.count({ claim: { $ne: null } })) === 0)
  const states = async () =>
    (await world.ports.store.mails.find({}, { sort: { id: 1 } })).map(({ status }) => status)

  beforeEach(async () => {
    server = await startMailServer()
    // Stores know what time it is too, and the later one counts.
    clock = fakeClock(Date.now() + 60_000)
  })
  afterEach(async () => {
    await sending.stop()
    world.ports.mailer?.close()
    await world.ports.store.close()
    await server.close()
  })

  it('are sent once, to one address, as plain text in which nothing becomes a header', async () => {
    await open()
    await post()
    const other = { ...world.ports, mailer: mailerAt(server.url) }
    await Promise.all([sending.tick(), mailing(other, () => undefined).tick()])
    await settled()
    other.mailer.close()
    expect(await sending.tick(), 'nothing is left').toBe(0)
    const mail = await server.mail(0)
    expect(server.mails).toHaveLength(1)
    expect(mail).toMatchObject({ from: ABODE_MAIL_FROM, to: [letter.to] })
    const [head = ''] = mail.raw.split('\r\n\r\n')
    expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8/im)
    expect(head).toMatch(/^Message-ID: <mal_[0-9a-f]{32}@example\.org>/im)
    expect(head).not.toMatch(/^bcc:/im)
    expect(mail.text.replaceAll('\r\n', '\n')).toBe(letter.text)
    const [row] = await world.ports.store.mails.find({})
    expect(row).toMatchObject({ status: 'sent', to: '', sealed: null, attempts: 1 })
  })

  it('are sealed where they wait, and tried again until they are taken', async () => {
    await open()
    server.refuses = { code: 451, message: 'come again' }
    await post()
    expect(JSON.stringify(await world.ports.store.mails.find({}))).not.toContain('abode.example')
    await tried()
    expect(await sending.tick(), 'not before its time').toBe(0)
    await clock.advance(6000)
    await tried()
    server.refuses = undefined
    await clock.advance(70_000)
    await tried()
    expect([server.tries, server.mails.length, await states()]).toEqual([3, 1, ['sent']])
    expect(said.join()).toContain('The mail server answered 451.')
    expect(said.join()).not.toContain(letter.to)
  })

  it('are given up where the address is refused for good, and its owner is told', async () => {
    await open()
    const { id, key } = await world.account()
    server.refuses = { code: 550, message: `no such ${'x'.repeat(300)}` }
    await post({ accountId: id })
    await tried()
    await clock.advance(86_400_001)
    expect([server.tries, await states()]).toEqual([1, ['refused']])
    const { items } = await world.ask<{ items: OwnerNotice[] }>('account.inbox', {}, key)
    expect(items[0]).toMatchObject({ type: 'delivery.failed' })
    expect(items[0]?.message).not.toContain('xxx')
    await upkeep(world.ports, clock.now())
    expect(await states()).toEqual([])
  })

  it('are refused, or wait, also by what the server says once it has all of them', async () => {
    await open()
    const { id, key } = await world.account()
    server.refuses = { code: 452, message: 'no room', after: 'the mail' }
    await post({ accountId: id })
    await tried()
    expect([server.tries, await states()]).toEqual([1, ['pending']])
    server.refuses = { code: 554, message: 'it looks like spam', after: 'the mail' }
    await clock.advance(6000)
    await tried()
    await clock.advance(86_400_001)
    expect([server.tries, server.mails, await states()]).toEqual([2, [], ['refused']])
    const { items } = await world.ask<{ items: OwnerNotice[] }>('account.inbox', {}, key)
    expect(items.map(({ type }) => type)).toEqual(['delivery.failed'])
  })

  it('are not sent after what they say is over', async () => {
    await open()
    server.refuses = { code: 421, message: 'busy' }
    await post({ holdsSeconds: 3600 })
    await tried()
    server.refuses = undefined
    await clock.advance(3_600_000)
    await tried()
    expect([server.mails, await states()]).toEqual([[], ['failed']])
  })

  it('wait for a server that hangs, that is away, or that lets no one in', async () => {
    server.hangs = true
    await open({ silentAtMostMs: 100, sentWithinMs: 5000 })
    await post()
    await tried()
    expect(await states()).toEqual(['pending'])
    server.hangs = false
    await server.close()
    await clock.advance(6000)
    await tried()
    expect(await states()).toEqual(['pending'])
    server = await startMailServer({ user: 'postmaster' })
    const wrong = server.url.replace('hush%20', 'hash%20')
    for (const [url, state] of [
      [wrong, 'pending'],
      [server.url, 'sent'],
    ] as const) {
      await clock.advance(400_000)
      send(mailerAt(url))
      await tried()
      expect(await states()).toEqual([state])
    }
    expect(server.logins).toEqual(['postmaster:hash & hush', 'postmaster:hush & hush'])
    expect(said.join()).not.toContain('hush')
  })
})
