/** Every form in which a text may stand somewhere and still be read off. */
export function formsOf(marker: string): string[] {
  const escaped = JSON.stringify(marker).slice(1, -1)
  const percent = encodeURIComponent(marker)
  const inForm = new URLSearchParams([['', marker]]).toString().slice(1)
  return [
    ...new Set([
      marker,
      marker.trim(),
      escaped,
      JSON.stringify(escaped).slice(1, -1),
      escaped.replaceAll('/', '\\/'),
      percent,
      percent.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
      inForm,
      ...base64Of(marker),
    ]),
  ]
}

/** The base64 digits that do not depend on the bytes before and after, at each of three offsets. */
function base64Of(marker: string): string[] {
  const bytes = Buffer.from(marker)
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const whole = text.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + bytes.length) * 8) / 6),
    )
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
