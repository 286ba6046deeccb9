import { describe, expect, test } from 'vitest'
import { Actor, actorFor, actorOf, isSameActor } from '#src/core/credentials/actor.ts'
import { anonymous, type KeyCaller, type MemberCaller } from '#src/core/admission/caller.ts'

const keyed: KeyCaller = {
  kind: 'key',
  subject: 'acc_1',
  accountId: 'acc_1',
  keyId: 'key_1',
  charId: 'ada',
  setsPolicy: false,
  claimed: false,
  key: { id: 'key_1', name: 'Ada', scope_char_id: 'ada', rights: [] },
  personId: undefined,
}
const member: MemberCaller = {
  kind: 'member',
  subject: 'acc_1',
  handle: 'ada',
  level: 0,
  charId: 'ada',
  accountId: 'acc_1',
  keyId: 'key_1',
  personId: undefined,
  tokenId: undefined,
}

describe('who made a call', () => {
  test.each([
    ['a key, also where it acts as an agent', keyed, { kind: 'key', key_id: 'key_1' }],
    [
      'a person, by their session',
      { ...keyed, keyId: 'ses_1', charId: undefined, personId: 'usr_1' },
      { kind: 'person', person_id: 'usr_1', session_id: 'ses_1' },
    ],
    [
      'a handle',
      { kind: 'handle', subject: 'handle:ada', handle: 'ada', tokenId: 't' },
      { kind: 'handle', handle: 'ada' },
    ],
    [
      'a member that is a handle',
      { ...member, keyId: undefined, tokenId: 't' },
      { kind: 'handle', handle: 'ada' },
    ],
    ['a member that is an agent, by its key', member, { kind: 'key', key_id: 'key_1' }],
    [
      'a member that is an agent, by the person who speaks for it',
      { ...member, keyId: 'ses_1', personId: 'usr_1' },
      { kind: 'person', person_id: 'usr_1', session_id: 'ses_1' },
    ],
  ] as const)('is %s', (_, caller, actor) => {
    expect(actorOf(caller)).toEqual(actor)
    expect(Actor.parse(actor)).toEqual(actor)
  })

  test('is of another account told by its kind alone, and a handle by its name', () => {
    expect(actorFor('acc_1', keyed)).toEqual({ kind: 'key', key_id: 'key_1' })
    expect(actorFor('acc_2', keyed)).toEqual({ kind: 'key' })
    expect(actorFor('acc_2', { ...keyed, personId: 'usr_1' })).toEqual({ kind: 'person' })
    expect(actorFor('acc_2', member)).toEqual({ kind: 'key' })
    const handle = { kind: 'handle', subject: 'handle:ada', handle: 'ada', tokenId: 't' } as const
    expect(actorFor('acc_2', handle)).toEqual({ kind: 'handle', handle: 'ada' })
    expect(actorFor('acc_1', anonymous)).toBeNull()
  })

  test('is no one without a credential', () => {
    expect(actorOf(anonymous)).toBeNull()
  })

  test('is the same person at another browser, and no other person, key or program', () => {
    const person = { kind: 'person', person_id: 'usr_1', session_id: 'ses_1' } as const
    const key = { kind: 'key', key_id: 'key_1' } as const
    const handle = { kind: 'handle', handle: 'ada' } as const
    const host = { kind: 'host', connection_id: 'con_1' } as const
    for (const one of [person, key, handle, host]) expect(isSameActor({ ...one }, one)).toBe(true)
    expect(isSameActor({ ...person, session_id: 'ses_2' }, person)).toBe(true)
    expect(isSameActor({ ...person, person_id: 'usr_2' }, person)).toBe(false)
    expect(isSameActor({ ...key, key_id: 'key_2' }, key)).toBe(false)
    expect(isSameActor({ ...handle, handle: 'grace' }, handle)).toBe(false)
    expect(isSameActor({ ...host, connection_id: 'con_2' }, host)).toBe(false)
    expect(isSameActor(key, person)).toBe(false)
    expect(isSameActor(undefined, key)).toBe(false)
  })
})
