import * as z from 'zod'
import { enabled, freeObject, optionalText, partsAtMost } from '#src/core/schema-parts.ts'

/** The secret of a channel is a text, so that it can be sealed and shown as `***`. */
const noOther = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string'

export const ControlChannel = z
  .looseObject({
    name: z.string(),
    type: z.string(),
    config: freeObject.describe('secret, signing_secret: shown as ***, or {{secret.NAME}}'),
    enabled,
  })
  .superRefine(({ config, secret }, context) => {
    const holders = [
      { path: ['secret'], value: secret },
      { path: ['config', 'secret'], value: config.secret },
      { path: ['config', 'signing_secret'], value: config.signing_secret },
    ]
    for (const { path, value } of holders) {
      if (noOther(value)) continue
      const params = { code: 'invalid_type' }
      context.addIssue({ code: 'custom', path, message: 'must be a text', params })
    }
  })
  .meta({ id: 'ControlChannel' })
/** A channel on which an agent receives or sends. */
export type ControlChannel = z.infer<typeof ControlChannel>

export const Control = z
  .looseObject({
    channels: z.array(ControlChannel).max(partsAtMost).default([]),
    default_channel: optionalText,
  })
  .meta({ id: 'ControlSchema' })
/** An agent's channels. */
export type Control = z.infer<typeof Control>
