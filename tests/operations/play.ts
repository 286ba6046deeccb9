import { setImmediate } from 'node:timers/promises'
import { expect } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { CorePorts } from '#src/core/call.ts'
import type { ErrorObject } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { invited } from '#tests/accounts/people/invited.ts'
import type { World } from '#tests/support/world.ts'

import { memberOf, raised } from '#tests/support/members.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import type { As, Case, KeyName, MemberName, PersonName, Stage } from './case.ts'
import type { Send } from './doors/doors.ts'
import { inOperations, saidInOperations, strayWords, type Tongue } from './doors/words.ts'

/** What a case is played in. */
export type Theatre = Pick<World, 'ask'> & { ports: CorePorts }

export function operationNamed(name: string, among: readonly Operation[] = catalog): Operation {
  const op = among.find((candidate) => candidate.name === name)
  if (!op) throw new Error(`no operation is called ${name}`)
  return op
}

/** New accounts and what else a case asks for, each made when it is first asked for. */
export function newStage(world: Theatre): Stage {
  const { mode } = world.ports.settings.signUp
  // The settings of a test are its own.
  const moderators = world.ports.settings.moderators as Set<string>
  const claim = async (): Promise<string> => {
    // Where sign-up is closed there is no account to have a key of.
    if (mode === 'closed') return ''
    const input = mode === 'invited' ? { invitation: await invited(world.ports) } : {}
    return (await world.ask<{ api_key: string }>('agent_claim.create', input)).api_key
  }
  const keys = new Map<KeyName, Promise<string>>()
  const joined = new Map<MemberName, Promise<{ handle: string; token: string }>>()
  const persons = new Map<PersonName, Promise<SignedInPerson>>()
  const stage: Stage = {
    world,
    key(name) {
      const made = keys.get(name) ?? claim()
      keys.set(name, made)
      return made
    },
    extra: {},
    id: (name) => `${name}-${randomSuffix(10)}`,
    async ask(name, input, as = 'owner') {
      if (as === 'anonymous') return world.ask(name, input)
      if (isPerson(as)) return world.ask(name, input, { token: (await stage.person(as)).token })
      const isKey = as === 'owner' || as === 'stranger'
      return world.ask(name, input, await (isKey ? stage.key(as) : tokenOf(stage, as)))
    },
    member(name) {
      const made = joined.get(name) ?? memberOf(world)
      joined.set(name, made)
      return made
    },
    person(name) {
      const made = persons.get(name) ?? signedInPerson(world.ports)
      persons.set(name, made)
      return made
    },
    async raise(name, level) {
      await raised(world.ports.store, (await stage.member(name)).handle, level)
    },
    async moderates(name) {
      moderators.add((await stage.member(name)).handle)
    },
    async moderatesAgent(as_char_id) {
      const { identity } = await stage.ask('commons.me.get', { as_char_id })
      moderators.add(identity.handle)
    },
    async tick() {
      const before = Date.now()
      while (Date.now() === before) await setImmediate()
    },
    async scopeTo(charId, rights = []) {
      const scope = { name: 'Scoped', scope_char_id: charId, rights }
      const scoped = await stage.ask('api_keys.create', scope)
      stage.extra.scoped = scoped.key
    },
  }
  return stage
}

async function tokenOf(stage: Stage, name: MemberName): Promise<string> {
  return (await stage.member(name)).token
}

function isPerson(as: As): as is PersonName {
  return as === 'person' || as === 'rival'
}

/** The credential that a case is played with. */
export async function credentialOf(stage: Stage, as: As): Promise<string | undefined> {
  if (as === 'anonymous' || isPerson(as)) return undefined
  if (as === 'garbage') return 'ab_0000000000000000000000000000000000000000'
  if (as === 'scoped') return stage.extra.scoped
  if (as === 'member' || as === 'other' || as === 'third') return tokenOf(stage, as)
  if (as !== 'revoked') return stage.key(as)
  const key = await stage.ask('api_keys.create', { name: 'Revoked' })
  await stage.ask('api_keys.revoke', { key_id: key.id })
  return key.key
}

/** A chapter of the core names its store too. */
function tongueOf(door: string): Tongue {
  return door === 'rest' || door === 'mcp' || door === 'a2a' ? door : 'core'
}

/** The error as every door words it, once it is certain that this one has named each call in its own words. */
function asNamed(error: ErrorObject, door: string): ErrorObject {
  const tongue = tongueOf(door)
  const { detail, hint, errors = [] } = error
  const said = [detail, hint ?? '', ...errors.map(({ message }) => message)].join(' ')
  expect(strayWords(said, tongue), said).toEqual([])
  if (hint === undefined) return error
  return { ...error, detail: inOperations(detail, tongue), hint: inOperations(hint, tongue) }
}

/** What an answer says about what was sent, and about what to do next. */
function saidIn(answer: unknown): string {
  const { warnings, findings, next } = answer as Record<string, unknown>
  const said = [warnings, findings, next].flat() as (
    | { message?: string; why?: string }
    | undefined
  )[]
  return said.map((one) => one?.message ?? one?.why ?? '').join(' ')
}

/** What the answer of an operation says, as every door words it. */
function answerAsNamed(answer: unknown, { says = [] }: Operation, door: string): unknown {
  const tongue = tongueOf(door)
  const members = Object.entries(answer as Record<string, unknown>)
  const named = members.map(([name, value]) => [
    name,
    says.some((one) => one === name) ? saidInOperations(value, tongue) : value,
  ])
  return Object.fromEntries(named)
}

/** Plays one case through one door, with accounts of its own. */
export async function play(world: Theatre, send: Send, kase: Case, door: string): Promise<void> {
  const stage = newStage(world)
  const facts = await kase.given?.(stage)
  const op = operationNamed(kase.op, world.ports.catalog)
  const credential = await credentialOf(stage, kase.as)
  const input = kase.input(facts, stage)
  const { expected } = kase
  const idempotencyKey = kase.again ? crypto.randomUUID() : kase.idempotencyKey
  const session = isPerson(kase.as) ? (await stage.person(kase.as)).token : undefined
  const sent = { op, input, credential, session, idempotencyKey, expected }
  const seen = await send(sent)
  if (kase.again) expect(await send(sent)).toEqual(seen)
  if (kase.refusal) {
    // An invalid bearer stops at the JSON-RPC doors themselves, with the same error object.
    expect(seen.error, JSON.stringify(seen.answer)).toMatchObject({ code: kase.refusal })
    expect(seen.error?.request_id, door).toBeTruthy()
    if (seen.error) kase.error?.(asNamed(seen.error, door), facts)
    return
  }
  expect(seen.error).toBeUndefined()
  const checked = op.output.safeParse(seen.answer)
  const issues = kase.part ? undefined : checked.error?.issues
  expect(issues, `${kase.op} answers as its output says`).toBeUndefined()
  const said = saidIn(seen.answer)
  expect(strayWords(said, tongueOf(door)), said).toEqual([])
  // The output was just checked against the operation's schema.
  await kase.answer?.(answerAsNamed(seen.answer, op, door) as never, facts, stage)
}
