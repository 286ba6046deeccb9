import * as z from 'zod'
import { publicFactor, SecondFactor } from '#src/accounts/factor/factor.ts'
import { operation } from '#src/core/operation.ts'

export const get = operation({
  name: 'auth.second_factor.get',
  summary: 'Read whether signing in by password asks for a code too.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'GET', path: '/api/auth/second-factor' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: SecondFactor,
  refuses: ['person_needed'],

  async run(_, { store, caller }) {
    return publicFactor(await store.second_factors.get(caller.personId))
  },
})
