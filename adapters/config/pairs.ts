import { isHere } from './network.ts'

type Env = Readonly<Record<string, string | undefined>>

interface Asked {
  mongodbUri: string | undefined
  admin: { host: string } | undefined
}

/** Settings of which one is of no use without the other. */
const pairs = [
  // Without the secret key nothing can be charged; without the webhook secret no payment is confirmed.
  [['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], 'Stripe needs both'],
  [['ABODE_SMTP_URL', 'ABODE_MAIL_FROM'], 'mail needs both'],
  [['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'a bucket needs both'],
] as const

/** Settings that are missing next to others, or of no use with them: one line for each. */
export function missingOf(env: Env, { mongodbUri, admin }: Asked): string[] {
  const isShared = mongodbUri !== undefined && env['ABODE_MASTER_KEY'] === undefined
  // With the key in a file of one machine, the others could not open what it sealed.
  const key = 'ABODE_MASTER_KEY must be set when MONGODB_URI is: all processes share it'
  const isOpen =
    admin !== undefined && !isHere(admin.host) && env['ABODE_ADMIN_TOKEN'] === undefined
  const token =
    'ABODE_ADMIN_TOKEN must be set when ABODE_ADMIN_HOST is not an address of this machine alone'
  const isElsewhere = mongodbUri !== undefined && env['ABODE_BACKUP'] !== undefined
  const backup =
    'ABODE_BACKUP is for the embedded store: MONGODB_URI is backed up with its own tools, such as mongodump'
  return [
    ...(isShared ? [key] : []),
    ...(isElsewhere ? [backup] : []),
    ...(isOpen ? [token] : []),
    ...pairs.flatMap(([names, why]) => missingHalf(env, names, why)),
  ]
}

function missingHalf(env: Env, names: readonly [string, string], why: string): string[] {
  const missing = names.filter((name) => env[name] === undefined)
  if (missing.length !== 1) return []
  const [name] = missing
  const other = names.find((one) => one !== name)
  return [`${name} must be set when ${other} is: ${why}`]
}
