import { expect } from 'vitest'
import type { Code, ErrorObject } from '#src/core/errors.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { SignedInPerson } from '#tests/accounts/people/persons.ts'
import type { World } from '#tests/support/world.ts'

/** Whose credential a case is played with. */
export type As = KeyName | 'scoped' | 'revoked' | 'garbage' | 'anonymous' | MemberName | PersonName

/** Accounts of agents, each made when a case first speaks as its holder. */
export type KeyName = 'owner' | 'stranger'

/** Handles of the Commons, each made when a case first speaks as them: new ones, of level 0. */
export type MemberName = 'member' | 'other' | 'third'

/** Persons who are signed in, each made when a case first speaks as them. */
export type PersonName = 'person' | 'rival'

/** What a case finds: accounts that are new, and ids that no other case has. */
export interface Stage {
  world: { ports: CorePorts } & Pick<World, 'ask'>
  /** An id that is unique to this playing of the case. */
  id(name: string): string
  /** A key of an account that is made when it is first asked for. */
  key: (name: KeyName) => Promise<string>
  /** Calls an operation directly, to prepare; fails the case on a refusal. */
  ask: <T = Made>(
    name: string,
    input: unknown,
    as?: KeyName | 'anonymous' | MemberName | PersonName,
  ) => Promise<T>
  /** A person who is signed in, with their session. */
  person: (name: PersonName) => Promise<SignedInPerson>
  /** The handle and token of a member of the Commons. */
  member(name: MemberName): Promise<{ handle: string; token: string }>
  /** Puts a member on a trust level, as time and the votes of others would. */
  raise(name: MemberName, level: 1 | 2 | 3 | 4): Promise<void>
  /** A key of the owner's that acts as this agent: `scoped` cases are played with it. */
  scopeTo(charId: string, rights?: readonly 'policy'[]): Promise<void>
  /** Names a member as a moderator, as the operator does. */
  moderates(name: MemberName): Promise<void>
  /** The same for an agent of the owner's, which joins before. */
  moderatesAgent(charId: string): Promise<void>
  /** Resolves in a later millisecond than it was called in, for what is sorted by time. */
  tick(): Promise<void>
  /** Further keys that cases made for themselves. */
  extra: { scoped?: string; revoked?: string }
}

type Member =
  | 'account_id'
  | 'accounts'
  | 'claim_url'
  | 'claimed'
  | 'current'
  | 'email'
  | 'own'
  | 'person'
  | 'secret'
  | 'application_server_key'
  | 'session'
  | 'agents'
  | 'appearance'
  | 'avatar_url'
  | 'photo_meta'
  | 'photos'
  | 'url'
  | 'api_key'
  | 'app_id'
  | 'approval_id'
  | 'attempt'
  | 'body'
  | 'comes'
  | 'connections'
  | 'count'
  | 'counters'
  | 'counts'
  | 'create'
  | 'enabled'
  | 'expires_at'
  | 'findings'
  | 'fires'
  | 'fires_at'
  | 'follow_up_run_id'
  | 'handoffs'
  | 'hash'
  | 'heart'
  | 'id'
  | 'items'
  | 'key'
  | 'kinds'
  | 'last'
  | 'last4'
  | 'latest_at'
  | 'lease_token'
  | 'members'
  | 'message'
  | 'more'
  | 'name'
  | 'next'
  | 'next_cursor'
  | 'next_lease'
  | 'orphaned'
  | 'owner_id'
  | 'pause_reason'
  | 'plan'
  | 'prefix'
  | 'proven_at'
  | 'quotas'
  | 'read'
  | 'retention'
  | 'reliability'
  | 'revision'
  | 'role'
  | 'root_run_id'
  | 'run'
  | 'runs'
  | 'scope_char_id'
  | 'skip_next_run_at'
  | 'skips'
  | 'started'
  | 'state'
  | 'status'
  | 'system_prompt'
  | 'task_id'
  | 'tasks'
  | 'team'
  | 'token'
  | 'valid'
  | 'votes'
  | 'accepted_reply_id'
  | 'author'
  | 'bits'
  | 'board'
  | 'chain'
  | 'challenge'
  | 'char_id'
  | 'code'
  | 'data'
  | 'depth'
  | 'handle'
  | 'identity'
  | 'in_url'
  | 'kind'
  | 'level'
  | 'my_vote'
  | 'reply_count'
  | 'reply_id'
  | 'score'
  | 'status_card'
  | 'tags'
  | 'target'
  | 'action'
  | 'target_id'
  | 'thread_id'
  | 'title'
  | 'trust'
  | 'untrusted'
  | 'unread'
  | 'from'
  | 'limits'
  | 'operation'
  | 'verifications'
  | 'why'
  | 'mode'
  | 'suggestions'
  | 'thread'
  | 'answer'
  | 'excerpt'
  | 'warnings'

/** What calls answer, for cases that know which members to read: a text, an object or a list. */
export type Made = string & readonly Made[] & { readonly [M in Member]: Made }

export interface Case<F = unknown> {
  op: string
  title: string
  as: As
  given?: (stage: Stage) => Promise<F>
  input: (facts: F, stage: Stage) => unknown
  /** Checks the answer, whose form has been checked against the operation's output. */
  answer?: (answer: Made, facts: F, stage: Stage) => void | Promise<void>
  refusal?: Code
  /** More of what the error object must say. */
  error?: (error: ErrorObject, facts: F) => void
  idempotencyKey?: string
  /** It is sent twice under one idempotency key, and the second answer has to be the first one. */
  again?: true
  /** It asks for a part of the answer, which then need not be all that the schema says. */
  part?: true
  /** The revision of `If-Match`, which only REST carries. */
  expected?: number
  /** Doors that this case cannot be put to, and why. */
  not?: Partial<Record<'rest' | 'mcp' | 'a2a' | 'core', string>>
}

/** Gives a case its types: what `given` gives is what the others get. */
export function given<F>(sentence: Case<F>): Case {
  // The facts travel with their own case only.
  return sentence as Case
}

/** An agent of the owner's. */
export async function agent(stage: Stage, name = 'ada', more: object = {}): Promise<string> {
  const id = stage.id(name)
  await stage.ask('characters.create', { character: { id, name: 'Ada', ...more } })
  return id
}

/** An agent with one task. */
export async function agentWithTask(
  stage: Stage,
  task: object = {},
): Promise<{ char_id: string; task_id: string }> {
  const char_id = await agent(stage)
  const whole = { task_id: 'digest', name: 'Digest', prompt: 'Sum up: {{input}}', ...task }
  await stage.ask('tasks.create', { char_id, task: { runtime: 'template', ...whole } })
  return { char_id, task_id: 'digest' }
}

/**
 * Leaves the agent's things under its id, which is the stranger's from now on: as by work that ends
 * after the agent has been deleted.
 */
export async function passOn(stage: Stage, char_id: string): Promise<void> {
  await stage.world.ports.store.characters.delete({ id: char_id })
  await stage.ask('characters.create', { character: { id: char_id, name: 'New' } }, 'stranger')
}

/** A prompt run of the owner's that was leased. */
export async function leased(
  stage: Stage,
  task: object = {},
): Promise<{ run_id: string; lease_token: string; char_id: string }> {
  const subject = await agentWithTask(stage, { runtime: 'prompt', ...task })
  await stage.ask('tasks.run', { ...subject, input: 'a text' })
  const lease = await stage.ask('runs.lease', { char_id: subject.char_id })
  return { run_id: lease.run.id, lease_token: lease.lease_token, char_id: subject.char_id }
}

export const nowhere = 'no-such-thing'

/** The refusals that every operation on an agent's own things shares. */
export function agentRefusals(op: string, input: (charId: string) => unknown): Case[] {
  return [
    given({
      op,
      title: 'an agent that does not exist is not found',
      as: 'owner',
      input: () => input(nowhere),
      refusal: 'character_not_found',
    }),
    given({
      op,
      title: "another account's agent is forbidden",
      as: 'stranger',
      given: (stage) => agent(stage),
      input: (id) => input(id),
      refusal: 'forbidden',
    }),
  ]
}

/** A call that expects another revision changes nothing. */
export function staleRevision(
  op: string,
  prepare: (stage: Stage) => Promise<object>,
  more: object = {},
): Case {
  return given({
    op,
    title: 'another revision than expected is not changed',
    as: 'owner',
    given: prepare,
    expected: 77,
    input: (facts) => ({ ...facts, ...more }),
    refusal: 'revision_mismatch',
    not: { mcp: 'no If-Match there', a2a: 'no If-Match there' },
  })
}

export function brokenCursor(
  op: string,
  input: (charId: string) => object,
  prepare?: (stage: Stage) => Promise<string>,
): Case {
  return given({
    op,
    title: 'a broken cursor is refused',
    as: 'owner',
    given: prepare ?? (() => Promise.resolve('')),
    input: (id) => ({ ...input(id), cursor: 'bm90LWEtY3Vyc29y' }),
    refusal: 'cursor_invalid',
  })
}

/** Only a key will do. */
export function needsKey(op: string, input: unknown): Case[] {
  return [
    given({
      op,
      title: 'without a credential it says how to get a key',
      as: 'anonymous',
      input: () => input,
      refusal: 'unauthenticated',
      error: (error) => expect(error.hint).toContain('agent_claim.create'),
    }),
    given({
      op,
      title: 'a revoked key is refused',
      as: 'revoked',
      input: () => input,
      refusal: 'invalid_credential',
    }),
    given({
      op,
      title: 'a mistyped key is refused',
      as: 'garbage',
      input: () => input,
      refusal: 'invalid_credential',
    }),
  ]
}
