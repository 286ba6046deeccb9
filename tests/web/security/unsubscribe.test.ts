import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { kindNames } from '#src/runs/told/kinds.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import { unsubscribeAddress } from '#src/runs/told/unsubscribe.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import {
  pageVisitor,
  registeredVisitor,
  type PageVisitor,
} from '#tests/accounts/people/page-visitor.ts'

describe('the link that ends mails', () => {
  let server: Serving
  let person: PageVisitor
  let here: string
  beforeAll(async () => {
    server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
    person = await registeredVisitor(server.url)
    const me = await asked<{ account_id: string; person: { id: string } }>('/api/auth/me')
    const { account_id } = me
    const told = { account_id, person_id: me.person.id, kinds: ['run_failed' as const] }
    here = new URL(unsubscribeAddress(server.abode.ports, told)).pathname
  })
  afterAll(() => server[Symbol.asyncDispose]())
  // What this server answers, as its contract has it.
  const asked = async <T>(path: string) => (await (await person.call('GET', path)).json()) as T
  const kinds = async () => (await asked<NotificationSettings>('/api/account/notifications')).kinds

  it('changes nothing when it is opened, and names no one', async () => {
    const page = await pageVisitor(server.url).get(here)
    expect(page.status).toBe(200)
    expect(page.text).toContain('A run failed')
    expect(page.text).not.toMatch(/@|acc_|usr_/)
    expect(await kinds()).toMatchObject({ run_failed: { mail: true } })
  })

  it('ends mails of its kinds by one POST of a program, in either form that it may send', async () => {
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    for (const body of [form, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })]) {
      const answer = await fetch(server.url + here, { method: 'POST', body })
      expect(answer.status).toBe(200)
      expect(await kinds()).toMatchObject({
        run_failed: { mail: false },
        approval_waiting: { mail: true },
      })
    }
  })

  it('ends all mails by its other button, and does nothing with a broken link', async () => {
    const broken = await pageVisitor(server.url).post(`${here.slice(0, -8)}AAAAAAAA`, {
      all: 'true',
    })
    expect(broken.status).toBe(410)
    expect(await kinds()).toMatchObject({ approval_waiting: { mail: true } })
    const page = await pageVisitor(server.url).post(here, { all: 'true' })
    expect(page.heading).toBe('These mails have ended')
    const now = await kinds()
    for (const kind of kindNames) expect(now[kind]).toMatchObject({ mail: false })
  })
})
