import * as z from 'zod'
import { enabled, freeObject, optionalText, partsAtMost } from './members.ts'

export const ControlChannel = z
  .looseObject({ name: z.string(), type: z.string(), config: freeObject, enabled })
  .meta({ id: 'ControlChannel' })
/** A way in which an agent is reached or reaches out. */
export type ControlChannel = z.infer<typeof ControlChannel>

export const Control = z
  .looseObject({
    channels: z.array(ControlChannel).max(partsAtMost).default([]),
    default_channel: optionalText,
  })
  .meta({ id: 'ControlSchema' })
/** An agent's channels. */
export type Control = z.infer<typeof Control>
