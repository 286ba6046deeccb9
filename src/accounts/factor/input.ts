import * as z from 'zod'

const codeAtMost = 40

/** A code as a person types it. */
export const Code = z
  .string()
  .trim()
  .min(6)
  .max(codeAtMost)
  .describe('Of the app, or a recovery code.')

/** Codes that are shown once. */
export const RecoveryCodes = z
  .array(z.string())
  .describe('Each counts once. They are not shown again.')
