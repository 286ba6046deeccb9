/** The words of `address_refused` and `address_invalid` for what is no address of the web. */
export const notAbsolute = 'The address is not an absolute http or https address.'

/** That an address answered without success, in words. */
export function statusWords(status: number): string {
  return `The address answered with status ${status}.`
}

/** Whether an address lies at or below another of the same origin. */
export function isBelow(address: URL, above: URL): boolean {
  if (address.origin !== above.origin || above.search !== '') return false
  const folder = above.pathname.replace(/\/$/, '')
  return `${address.pathname}/`.startsWith(`${folder}/`)
}
