import * as z from 'zod'
import { ownTool, type RunTool } from '../tool.ts'
import type { Desk } from '../desk.ts'

/** What time it is, here and where the agent lives. */
export function clockTools({ work, character }: Desk): RunTool[] {
  const zone = character.heart?.timezone || 'UTC'
  return [
    ownTool('current_time', 'Tells the date and the time now.', z.strictObject({}), async () => {
      const now = work.ports.clock.now()
      const local = new Intl.DateTimeFormat('en-GB', {
        dateStyle: 'full',
        timeStyle: 'long',
        timeZone: zone,
      }).format(now)
      return JSON.stringify({ utc: now.toISOString(), timezone: zone, local })
    }),
  ]
}
