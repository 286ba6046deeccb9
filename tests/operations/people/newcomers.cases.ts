import { expect } from 'vitest'
import type { ErrorObject } from '#src/core/errors.ts'
import { newToken } from '#src/core/ids.ts'
import { invited } from '#tests/accounts/people/invited.ts'
import { password } from '#tests/accounts/people/persons.ts'
import { solvedChallenge } from '../commons/challenge.ts'
import { given, type Case, type Stage } from '../case.ts'

/** Whom refusals name on the servers that these cases are played on. */
export const contact = 'ops@example.org'

/** What a newcomer sends to each operation that gives an account or a handle, but for the invitation. */
const newcomers: Readonly<Record<string, (stage: Stage) => Promise<object>>> = {
  'agent_claim.create': () => Promise.resolve({ name: 'Ada' }),
  'auth.register': (stage) =>
    Promise.resolve({ email: `${stage.id('ada')}@example.org`, password }),
  'commons.identities.create': async (stage) => {
    const { challenge, counter } = await solvedChallenge(stage)
    return { challenge, counter }
  },
}

/** An input that the schemas of these operations refuse. */
const malformed = { name: 7, email: false, challenge: [], nothing: { of: 'the kind' } }

const past = '2020-01-01T00:00:00.000Z'

/** Codes that admit no one, and that a caller cannot tell apart. */
const useless: readonly (readonly [title: string, code: (stage: Stage) => Promise<string>])[] = [
  ['an invitation that was never made', () => Promise.resolve(newToken('inv'))],
  ['what is no invitation at all', () => Promise.resolve('let-me-in-please')],
  [
    'an invitation that was used up',
    (stage) => invited(stage.world.ports, { more: { uses_left: 0 } }),
  ],
  [
    'an invitation that has expired',
    (stage) => invited(stage.world.ports, { more: { expires_at: past } }),
  ],
]

function saysWhomToAsk(error: ErrorObject): void {
  expect(error.hint).toContain(`(${contact})`)
  expect(error.errors).toBeUndefined()
}

const usable = (op: string): Case[] => [
  given({
    op,
    title: 'an invitation admits',
    as: 'anonymous',
    async given(stage) {
      return { ...(await newcomers[op]?.(stage)), invitation: await invited(stage.world.ports) }
    },
    input: (facts) => facts,
    async answer(_, { invitation }, stage) {
      // Once, and it says so before anything else is looked at.
      const again = stage.ask(op, { ...malformed, invitation }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
  given({
    op,
    title: 'an invitation for two admits a second one',
    as: 'anonymous',
    async given(stage) {
      const invitation = ` ${await invited(stage.world.ports, { uses: 2 })}\n`
      await stage.ask(op, { ...(await newcomers[op]?.(stage)), invitation }, 'anonymous')
      return {
        ...(await newcomers[op]?.({ ...stage, id: (name) => stage.id(`${name}2`) })),
        invitation,
      }
    },
    input: (facts) => facts,
    answer: () => undefined,
  }),
  given({
    op,
    title: 'a newcomer without an invitation is refused',
    as: 'anonymous',
    given: async (stage) => newcomers[op]?.(stage),
    input: (facts) => facts,
    refusal: 'sign_up_closed',
    error(error) {
      saysWhomToAsk(error)
      expect(error.detail).toContain('by invitation only')
      expect(error.hint).toContain('"invitation"')
    },
  }),
  given({
    op,
    title: 'who has no invitation is told that before the input is looked at',
    as: 'anonymous',
    input: () => malformed,
    refusal: 'sign_up_closed',
    error: saysWhomToAsk,
  }),
  given({
    op,
    title: 'a key of an account is no invitation',
    as: 'owner',
    given: async (stage) => newcomers[op]?.(stage),
    input: (facts) => facts,
    refusal: 'sign_up_closed',
    error: saysWhomToAsk,
  }),
  ...useless.map(([title, code]) =>
    given({
      op,
      title: `${title} is refused before the input is looked at`,
      as: 'anonymous',
      given: async (stage) => ({ ...malformed, invitation: await code(stage) }),
      input: (facts) => facts,
      refusal: 'sign_up_closed',
      error(error) {
        saysWhomToAsk(error)
        // The same to the letter: who guesses learns nothing.
        expect(error.detail).toBe('This invitation is not valid, or no longer valid.')
      },
    }),
  ),
  given({
    op,
    title: 'an input that is not taken uses no invitation up',
    as: 'anonymous',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const wrong = { name: 7, email: 'no address', password: 'x', invitation }
      await stage.ask(op, wrong, 'anonymous').then(
        () => expect.unreachable(),
        ({ code }: ErrorObject) => expect(['invalid_input', 'unknown_field']).toContain(code),
      )
      return { ...(await newcomers[op]?.(stage)), invitation }
    },
    input: (facts) => facts,
    answer: () => undefined,
  }),
]

const repeated: Case[] = ['agent_claim.create', 'commons.identities.create'].map((op) =>
  given({
    op,
    title: 'a repeat by its idempotency key gets the same answer for the same invitation',
    as: 'anonymous',
    async given(stage) {
      return { ...(await newcomers[op]?.(stage)), invitation: await invited(stage.world.ports) }
    },
    input: (facts) => facts,
    again: true,
    async answer(_, { invitation }, stage) {
      const again = stage.ask(op, { invitation }, 'anonymous')
      await expect(again).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
)

const byClaim: Case[] = [
  given({
    op: 'auth.register',
    title: 'the link of a claim admits the person who is to take it over',
    as: 'anonymous',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const { claim_url } = await stage.ask('agent_claim.create', { invitation }, 'anonymous')
      return { code: claim_url.split('/').at(-1), email: `${stage.id('ada')}@example.org` }
    },
    input: ({ email, code }) => ({ email, password, invitation: code }),
    async answer({ account_id }, { code }, stage) {
      expect(account_id).toMatch(/^acc_/)
      const email = `${stage.id('eve')}@example.org`
      const second = stage.ask('auth.register', { email, password, invitation: code }, 'anonymous')
      await expect(second).rejects.toMatchObject({ code: 'sign_up_closed' })
    },
  }),
  given({
    op: 'agent_claim.create',
    title: 'the link of a claim makes no further accounts of agents',
    as: 'anonymous',
    async given(stage) {
      const invitation = await invited(stage.world.ports)
      const { claim_url } = await stage.ask('agent_claim.create', { invitation }, 'anonymous')
      return claim_url.split('/').at(-1)
    },
    input: (code) => ({ invitation: code }),
    refusal: 'sign_up_closed',
  }),
]

/** Who comes in where an invitation is needed. */
export const invitedNewcomers: readonly Case[] = [
  ...Object.keys(newcomers).flatMap(usable),
  ...repeated,
  ...byClaim,
]

/** Where sign-up is closed, neither an invitation nor a malformed input changes anything. */
export const closedNewcomers: readonly Case[] = Object.keys(newcomers).flatMap((op) =>
  [{ ...malformed, nothing: 'good' }, { invitation: newToken('inv') }].map((input) =>
    given({
      op,
      title: `a newcomer with ${Object.keys(input).join(', ')} is refused`,
      as: 'anonymous',
      input: () => input,
      refusal: 'sign_up_closed',
      error(error) {
        saysWhomToAsk(error)
        expect(error.detail).toMatch(/^This server gives no new (?:accounts|handles)\.$/)
      },
    }),
  ),
)
