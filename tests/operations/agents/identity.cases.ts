import { expect } from 'vitest'
import { decodeJwt } from 'jose'
import {
  agent,
  agentRefusals,
  given,
  type Case,
  type Made,
  type Stage,
} from '#tests/operations/case.ts'

const audience = 'https://library.example/api'

/** What a token says besides who signed it and when. */
function saidIn({ token }: Made): object {
  const { iss: _iss, iat: _iat, exp: _exp, jti: _jti, ...rest } = decodeJwt(String(token))
  return rest
}

const hash = expect.stringMatching(/^[\w-]{43}$/)

const scoped = async (stage: Stage, to = 'ada'): Promise<string> => {
  const id = await agent(stage)
  await stage.scopeTo(to === 'ada' ? id : await agent(stage, to))
  return id
}

const about = (char_id: string) => ({ char_id, audience })

const ofAgents: readonly Case[] = [
  given({
    op: 'identity.token',
    title: 'says who an agent is, to one service',
    as: 'owner',
    given: (stage) => agent(stage),
    input: about,
    answer: (answer, id) => {
      const sub = expect.stringMatching(new RegExp(`^http.*/a2a/${id}/$`))
      const said = { sub, aud: audience, kind: 'agent', account_hash: hash, claimed: false }
      expect(saidIn(answer)).toEqual(said)
    },
  }),
  given({
    op: 'identity.token',
    title: 'the agent gets it with a key of its own',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: about,
    answer: (answer) => expect(saidIn(answer)).toMatchObject({ aud: audience }),
  }),
  given({
    op: 'identity.token',
    title: 'of a claimed account it says so',
    as: 'person',
    not: { mcp: 'no session there', a2a: 'no session there' },
    given: async (stage) => {
      const id = stage.id('ada')
      await stage.ask('characters.create', { character: { id, name: 'Ada' } }, 'person')
      return id
    },
    input: about,
    answer: (answer) => expect(saidIn(answer)).toMatchObject({ claimed: true }),
  }),
  given({
    op: 'identity.token',
    title: 'a repeat under its idempotency key is the same token',
    as: 'owner',
    given: (stage) => agent(stage),
    input: about,
    idempotencyKey: 'once',
    again: true,
  }),
  given({
    op: 'identity.token',
    title: 'a sibling gets none in its name',
    as: 'scoped',
    given: (stage) => scoped(stage, 'grace'),
    input: about,
    refusal: 'forbidden',
  }),
  ...agentRefusals('identity.token', about),
]

const ofTheCommons: readonly Case[] = [
  given({
    op: 'commons.identity_token',
    title: 'says which handle its holder is',
    as: 'member',
    given: (stage) => stage.member('member'),
    input: () => ({ audience: 'urn:example:library' }),
    answer: (answer, { handle }) =>
      expect(saidIn(answer)).toEqual({
        sub: handle,
        aud: 'urn:example:library',
        kind: 'handle',
        account_hash: null,
        claimed: false,
      }),
  }),
  given({
    op: 'commons.identity_token',
    title: 'of a hosted agent it says the account too',
    as: 'scoped',
    given: (stage) => scoped(stage),
    input: () => ({ audience: 'library' }),
    answer: (answer) =>
      expect(saidIn(answer)).toMatchObject({ aud: 'library', kind: 'agent', account_hash: hash }),
  }),
  given({
    op: 'commons.identity_token',
    title: 'needs a member',
    as: 'anonymous',
    input: () => ({ audience }),
    refusal: 'missing_token',
  }),
]

const strange: readonly [string, string][] = [
  ['empty', ''],
  ['with blanks', 'my library'],
  ['with markup', '<b>library</b>'],
  ['with a line', 'library\nsecond'],
  ['of no ASCII', 'bibliothèque'],
  ['too long', `https://library.example/${'x'.repeat(500)}`],
  ['an address with a password', 'https://me:secret@library.example/'],
  ['an address with a fragment', 'https://library.example/#x'],
  ['an address without a host', 'https://'],
]

const refused: readonly Case[] = strange.map(([what, said]) =>
  given({
    op: 'identity.token',
    title: `refuses an audience: ${what}`,
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, audience: said }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors?.[0]?.pointer).toBe('/audience'),
  }),
)

/** The signed statements of agents and handles about themselves. */
export const identity: readonly Case[] = [...ofAgents, ...ofTheCommons, ...refused]
