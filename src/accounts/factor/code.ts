import { randomInt } from 'node:crypto'
import { digest } from '#src/core/ids.ts'
import { recoveryCodes } from './factor.ts'

const stepSeconds = 30
/** Codes of the step before and after count too: clocks differ, and typing takes time. */
const stepsAround = 1
const secretBytes = 20

/** Loaded when the first person uses it. */
const library = () => import('otpauth')

/** A new secret in base32, as apps that make codes take it. */
export async function newSecret(): Promise<string> {
  const { Secret } = await library()
  return new Secret({ size: secretBytes }).base32
}

/** The address by which such an app takes it over. */
export async function addressOfSecret(
  secret: string,
  { issuer, email }: { issuer: string; email: string },
): Promise<string> {
  const { TOTP } = await library()
  return new TOTP({ issuer, label: email, secret }).toString()
}

/** The time step of a code that is right at this time, compared in constant time; undefined if it is not. */
export async function stepOf(secret: string, code: string, now: Date): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const { Secret, TOTP } = await library()
  const timestamp = now.getTime()
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, window: stepsAround, timestamp })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / stepSeconds) + delta
}

/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** Recovery codes of 79 bits each, as a person writes them down. */
export function newRecoveryCodes(): string[] {
  const letter = () => letters[randomInt(letters.length)]
  const group = () => Array.from({ length: groupLength }, letter).join('')
  const code = () => Array.from({ length: groups }, group).join('-')
  return Array.from({ length: recoveryCodes }, code)
}

/** The hash under which a recovery code is kept: no one goes through all codes of its length. */
export function recoveryHash(personId: string, code: string): string {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return digest(`${personId} ${plain}`)
}
