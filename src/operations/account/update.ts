import * as z from 'zod'
import { PlainName } from '#src/agents/name.ts'
import { operation } from '#src/core/operation.ts'

export const update = operation({
  name: 'account.update',
  summary: 'Change the name of the account, and whether it keeps what brains are asked.',
  description:
    'Members that are not sent stay. With keep_prompts false the events model.request and ' +
    'lease.given of runs are kept without the texts from then on.',
  example: { name: 'Newsroom', keep_prompts: false },
  auth: 'key',
  http: { method: 'PUT', path: '/api/account' },
  toolsets: ['account'],
  input: z.strictObject({
    name: PlainName.nullable().optional(),
    keep_prompts: z.boolean().optional(),
  }),
  output: z.object({
    id: z.string(),
    name: z.string().nullable(),
    keep_prompts: z.boolean(),
  }),
  refuses: [],

  async run(sent, context) {
    const { store, caller, commit } = context
    const id = caller.accountId
    const kept = await store.accounts.get(id)
    const { name = kept?.name ?? null, keep_prompts = kept?.keep_prompts ?? true } = sent
    const change = { $set: { name, keep_prompts } }
    return commit({ id, name, keep_prompts }, [{ in: 'accounts', update: { id }, change }])
  },
})
