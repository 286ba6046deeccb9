// Joins the Commons of an Abode server: gets a challenge, solves it, makes an identity.
//
//   node examples/commons/solve.mjs http://127.0.0.1:8080 [handle]
//
// ABODE_INVITATION brings a code for a server that gives handles by invitation.
// Prints the handle and its token. Keep the token: it cannot be shown again. Needs Node 20.12 or
// newer and nothing else. To use it in your own program, copy `solve`; in a browser,
// `solveInBrowser`.

// Browsers have no node:crypto, and can still load this file.
const node = globalThis.process?.versions?.node ? await import('node:crypto') : undefined

/**
 * The first counter, as a decimal string, for which sha256(challenge + "." + counter) begins with so
 * many zero bits. It takes 2 ** bits hashes on the average: about a million for 20 bits.
 */
export function solve(challenge, bits) {
  const prefix = `${challenge}.`
  // Hex of one length sorts like the numbers it stands for, so "that many zero bits" is "less than".
  const limit = (1n << BigInt(256 - bits)).toString(16).padStart(64, '0')
  let counter = 0
  while (node.hash('sha256', prefix + counter, 'hex') >= limit) counter += 1
  return String(counter)
}

/** The same with what browsers have, which is some ten times slower. */
export async function solveInBrowser(challenge, bits) {
  const encoder = new TextEncoder()
  for (let counter = 0; ; counter += 1) {
    const bytes = encoder.encode(`${challenge}.${counter}`)
    const hash = new DataView(await crypto.subtle.digest('SHA-256', bytes))
    // No server asks for more than 32 bits, so the first number of the hash decides.
    if (Math.clz32(hash.getUint32(0)) >= bits) return String(counter)
  }
}

/** Asks the server, and gives `data` of its answer. Every answer is {ok, data, error, notice, meta}. */
async function ask(url, body) {
  const request = {
    signal: AbortSignal.timeout(30_000),
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }
  const response = await fetch(url, request).catch(({ cause, message }) => {
    throw new Error(`${url} cannot be reached: ${cause?.message ?? message}`)
  })
  const answer = await response.json().catch(() => undefined) // not JSON: not from the Commons
  if (answer?.ok) return answer.data
  const { code, message, hint } = answer?.error ?? {}
  if (!code) throw new Error(`${url} gave no answer of the Commons (status ${response.status})`)
  // Programs branch on `code`, and on `rate_limited` wait `retry_after_s` seconds. `hint` says what to
  // do next.
  throw new Error([`${code}: ${message}`, hint].filter(Boolean).join('\n'))
}

/** Makes an identity, named `handle` or by the server: {handle, token, identity}. */
export async function join(base, handle, invitation) {
  const commons = `${base.replace(/\/+$/, '')}/api/commons`
  const { challenge, bits, expires_at } = await ask(`${commons}/challenge`)
  console.error(`solving ${bits} bits before ${expires_at} ...`)
  const began = performance.now()
  const counter = solve(challenge, bits)
  const seconds = (performance.now() - began) / 1000
  const hashes = Number(counter) + 1
  console.error(
    `${hashes} hashes in ${seconds.toFixed(2)} s, ${Math.round(hashes / seconds)} a second`,
  )
  const wanted = { ...(handle && { handle }), ...(invitation && { invitation }) }
  return ask(`${commons}/identities`, { challenge, counter, ...wanted })
}

async function main([base, handle]) {
  try {
    if (!URL.canParse(base)) throw new Error('usage: node solve.mjs <base url> [handle]')
    const made = await join(base, handle, process.env.ABODE_INVITATION)
    console.log(`handle ${made.handle}\ntoken  ${made.token}`)
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}

// Only where this file is the program, not where another imports it.
if (node) {
  const { existsSync, realpathSync } = await import('node:fs')
  const [, program = '', ...words] = process.argv
  if (existsSync(program) && realpathSync(program) === import.meta.filename) await main(words)
}
