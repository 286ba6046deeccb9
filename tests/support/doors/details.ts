/** What an error tells: the object that every door gives. Errors of A2A's own methods have it among their details. */
export function toldIn<T extends { error?: { data?: unknown } }>(answer: T): T {
  const { error } = answer
  if (!Array.isArray(error?.data)) return answer
  const details = error.data as { '@type': string; value?: unknown }[]
  const told = details.find((detail) => detail['@type'].endsWith('/google.protobuf.Struct'))
  return told ? { ...answer, error: { ...error, data: told.value } } : answer
}

/** A field as errors of the protocol name it, such as `message.parts[0].text`, as a JSON Pointer. */
export function pointerTo(field: string): string {
  return `/${field.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`
}
