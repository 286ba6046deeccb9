import * as z from 'zod'
import type { RegisteredProgram } from '#src/core/settings.ts'
import { shaped } from './payments.ts'
import type { Read } from './values.ts'

const Program = z.strictObject({
  client_id: z.string().min(1).max(200),
  client_name: z.string().min(1).max(100),
  redirect_uris: z.array(z.url().max(2000)).min(1).max(20),
  client_secret: z.string().min(32).max(200).optional(),
  token_endpoint_auth_method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
})

const Programs = z.array(
  Program.refine(
    ({ client_secret, token_endpoint_auth_method: method }) =>
      method === undefined || client_secret !== undefined,
    {
      path: ['client_secret'],
      error: 'is needed for this method',
    },
  ).transform(({ token_endpoint_auth_method, ...program }) => ({
    ...program,
    ...(program.client_secret !== undefined && {
      token_endpoint_auth_method: token_endpoint_auth_method ?? 'client_secret_basic',
    }),
  })),
)

/** Programs that the operator registers. */
export const oauthClients: Read<RegisteredProgram[]> = shaped(Programs, Object.keys(Program.shape))
