import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newMemberInvitation } from '#src/accounts/members/invitation.ts'
import { membershipOf, membersAtMost } from '#src/accounts/members/member.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import { eventPasser } from '#src/work/events.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { signedInAgain, signedInPerson } from '#tests/accounts/people/persons.ts'
import { connectedProgram } from '#tests/oauth/connection.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { heldAccount, inviteCode, newMember, type Held } from './crew.ts'

interface Listed {
  members: { person_id: string; role: string }[]
  invitations: { id: string }[]
}

const codeOf = (one: PromiseSettledResult<unknown>): string =>
  one.status === 'rejected' ? (one.reason as { code: string }).code : 'done'

describe.each(stores())('the persons of an account on $name', (kind) => {
  let place: Place
  let world: World
  let elsewhere: World
  let held: Held

  beforeEach(async () => {
    place = await kind.place()
    world = openWorld(await place.open())
    elsewhere = openWorld(await place.open())
    held = await heldAccount(world)
  })
  afterEach(async () => {
    await world.ports.store.close()
    await elsewhere.ports.store.close()
    await place.remove()
  })

  const rolesNow = async (): Promise<Map<string, string>> => {
    const { members } = await world.ask<Listed>('account.members.list', {}, held.holder.session)
    return new Map(members.map(({ person_id, role }) => [person_id, role]))
  }

  it('may what their role says at once, in every process, and nothing once they are removed', async () => {
    const grace = await newMember(world, held, 'owner')
    const name = (text: string) => elsewhere.ask('account.update', { name: text }, grace.session)
    await name('Desk')
    const about = { member_id: grace.id }
    await world.ask('account.members.update', { ...about, role: 'reader' }, held.holder.session)
    await expect.poll(() => name('Desk').catch(({ code }) => code as string)).toBe('role_needed')
    await elsewhere.ask('account.get', {}, grace.session)
    await world.ask('account.members.delete', about, held.holder.session)
    const read = () => elsewhere.ask('account.get', {}, grace.session)
    await expect.poll(() => read().catch(({ code }) => code as string)).toBe('forbidden')
    expect([...(await rolesNow()).values()]).toEqual(['owner'])
  })

  it('pass the account on when who holds it leaves, and never leave it without an owner', async () => {
    const [grace, alan] = [
      await newMember(world, held, 'owner'),
      await newMember(world, held, 'owner'),
    ]
    await world.ask('account.members.delete', { member_id: held.holder.id }, held.holder.session)
    const account = await world.ports.store.accounts.get(held.accountId)
    expect(account?.holder_id).toBe(grace.id)
    // Both owners leave at once, each in a process of their own.
    const left = await Promise.allSettled([
      world.ask('account.members.delete', { member_id: grace.id }, grace.session),
      elsewhere.ask('account.members.delete', { member_id: alan.id }, alan.session),
    ])
    expect(left.map(codeOf).sort()).toEqual(['done', 'last_owner'])
    const after = await world.ports.store.accounts.get(held.accountId)
    const stays = left[0].status === 'fulfilled' ? alan : grace
    expect(after?.holder_id).toBe(stays.id)
    expect(await world.ports.store.memberships.count({ account_id: held.accountId })).toBe(0)
  })

  it('stay members as what they become when they hand the account on', async () => {
    const grace = await newMember(world, held, 'owner')
    const about = { member_id: held.holder.id, role: 'reader' }
    await world.ask('account.members.update', about, held.holder.session)
    expect(await rolesNow()).toEqual(
      new Map([
        [grace.id, 'owner'],
        [held.holder.id, 'reader'],
      ]),
    )
  })

  it('take their programs, their keys and their invitations along when they are owners no more', async () => {
    const { store } = world.ports
    const grace = await newMember(world, held, 'owner')
    const at = { id: grace.id, account_id: held.accountId, session_id: grace.session_id }
    await connectedProgram(world.ports, at)
    const code = await inviteCode(world, grace, { role: 'owner' })
    const late = newMemberInvitation(
      { account_id: held.accountId, role: 'owner', email: null, invited_by: grace.id },
      world.ports.clock.now(),
    )
    const about = { member_id: grace.id, role: 'approver' }
    await world.ask('account.members.update', about, held.holder.session)
    expect(await store.connections.count({ person_id: grace.id })).toBe(0)
    // One that is written after all is void.
    await store.member_invitations.insert(late.record)
    const { token } = await signedInPerson(world.ports)
    const codes = await Promise.allSettled(
      [code, late.code].map((one) => world.ask('account.members.join', { code: one }, { token })),
    )
    expect(codes.map(codeOf)).toEqual(['invitation_not_found', 'invitation_void'])
    // Nor does an approver connect any program.
    await expect(connectedProgram(world.ports, at)).rejects.toMatchObject({ code: 'role_needed' })
  })

  it('are as many as were invited, however many come with one link', async () => {
    const code = await inviteCode(world, held.holder, { role: 'reader' })
    const comers = await Promise.all([0, 1, 2, 3].map(() => signedInPerson(world.ports)))
    const came = await Promise.allSettled(
      comers.map(({ token }, i) =>
        (i % 2 ? world : elsewhere).ask('account.members.join', { code }, { token }),
      ),
    )
    const used = ['invitation_used', 'invitation_used', 'invitation_used']
    expect(came.map(codeOf).sort()).toEqual(['done', ...used])
    // Nor is one person there twice with two links.
    const codes = await Promise.all(
      [0, 1].map(() => inviteCode(world, held.holder, { role: 'reader' })),
    )
    const { token } = await signedInPerson(world.ports)
    const twice = await Promise.allSettled([
      world.ask('account.members.join', { code: codes[0] }, { token }),
      elsewhere.ask('account.members.join', { code: codes[1] }, { token }),
    ])
    expect(twice.map(codeOf).sort()).toEqual(['already_member', 'done'])
    expect(await rolesNow()).toHaveLength(3)
  })

  it('are told what happened in the account of before by no call that was waiting', async () => {
    const grace = await newMember(world, held, 'reader')
    const chosen = { account_id: held.accountId }
    await world.ask('auth.sessions.choose', chosen, { token: grace.token })
    const all = { limit: 100 }
    const { next_cursor: cursor } = await world.ask<{ next_cursor: string }>(
      'account.events',
      all,
      grace.session,
    )
    const waits = (session: SentSession) =>
      world
        .ask('account.events', { cursor, wait_seconds: 20 }, session)
        .catch(({ code }) => code as string)
    const waiting = [waits({ token: grace.token }), waits(grace.session)]
    await expect.poll(() => world.ports.waiting.keys()).not.toEqual([])
    await world.ask('account.members.delete', { member_id: grace.id }, held.holder.session)
    // Something happens there.
    const tasks = [{ task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi' }]
    await world.ask(
      'characters.create',
      { character: { id: 'ada', name: 'A', heart: { tasks } } },
      held.key,
    )
    await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, held.key)
    await eventPasser(world.ports)()
    expect(await Promise.all(waiting)).toEqual(['forbidden', 'forbidden'])
  })

  it('are bounded, and invitations go when their time is over', async () => {
    const clock = fakeClock()
    const timed = openWorld(world.ports.store, { clock })
    const { store } = timed.ports
    const of = { account_id: held.accountId, role: 'reader', invited_by: null } as const
    for (let i = 2; i < membersAtMost; i++) {
      await store.memberships.insert(membershipOf({ ...of, person_id: `usr_${i}` }, clock.now()))
    }
    const again = { token: (await signedInAgain(timed.ports, held.holder)).token }
    const holder = { session: { ...again, accountId: held.accountId } }
    await inviteCode(timed, holder, { role: 'reader' })
    const more = inviteCode(timed, holder, { role: 'reader' })
    await expect(more).rejects.toMatchObject({ code: 'quota_exceeded' })
    await clock.advance(8 * 86_400_000)
    await upkeep(timed.ports, clock.now())
    expect(await store.member_invitations.count({})).toBe(0)
  })

  it('see all of their accounts, page by page', async () => {
    const grace = await newMember(world, held, 'approver')
    const more = await heldAccount(world)
    await world.ports.store.memberships.insert(
      membershipOf(
        { account_id: more.accountId, person_id: grace.id, role: 'reader', invited_by: null },
        world.ports.clock.now(),
      ),
    )
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await world.ask<{
        accounts: { id: string; role: string; own: boolean }[]
        next_cursor: string | null
      }>('auth.me', { limit: 1, ...(cursor && { cursor }) }, { token: grace.token })
      seen.push(...page.accounts.map(({ id, role, own }) => [id, role, own]))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(
      [
        [held.accountId, 'approver', false],
        [grace.account_id, 'owner', true],
        [more.accountId, 'reader', false],
      ].sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    )
  })
})
