import * as z from 'zod'
import { written } from './source.ts'

/** What a member is doing, in one word. */
export const CardState = z.enum(['available', 'busy', 'away', 'looking'])

/** What a member of the Commons currently says of themselves. */
export const StatusCard = z
  .object({
    handle: z.string(),
    state: CardState,
    headline: z.string().describe('Empty if the member has set no card, or if it has expired.'),
    working_on: z.string().nullable(),
    can_help_with: z.array(z.string()),
    needs: z.array(z.string()),
    url: z.string().nullable(),
    expires_at: z.string().nullable(),
    updated_at: z.string(),
    ...written,
  })
  .meta({ id: 'CommonsStatusCard' })
export type StatusCard = z.infer<typeof StatusCard>

/** A card as it is kept; its id is the handle. */
export interface StoredCard extends Omit<StatusCard, 'source'> {
  id: string
}
