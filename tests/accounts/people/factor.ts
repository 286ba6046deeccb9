import { TOTP } from 'otpauth'

/** The code that an app with this secret shows, so many steps of half a minute from now. */
export function codeOf(secret: string, steps = 0, now = Date.now()): string {
  return new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 })
}
