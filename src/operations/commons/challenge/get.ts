import * as z from 'zod'
import { difficultyNow } from '#src/commons/join-difficulty.ts'
import { newChallenge } from '#src/commons/proof-of-work.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'commons.challenge.get',
  summary: 'Get a challenge whose proof of work makes a Commons handle.',
  description:
    'Find a decimal counter such that sha256(challenge + "." + counter) begins with `bits` zero ' +
    'bits, and send both to commons.identities.create before expires_at.',
  example: {},
  auth: 'none',
  http: { method: 'GET', path: '/api/commons/challenge' },
  toolsets: ['commons'],
  input: z.strictObject({}),
  output: z.object({ challenge: z.string(), bits: z.int(), expires_at: z.string() }),
  refuses: [],
  limits: ['challenges'],
  // Each call gives another one.
  marks: true,

  async run(_input, { settings, sealer, clock, store }) {
    const { bits, ttlSeconds } = settings.proofOfWork
    const now = clock.now()
    const difficulty = bits ?? (await difficultyNow(store, now))
    return newChallenge(sealer.derive('commons challenge'), difficulty, now, ttlSeconds)
  },
})
