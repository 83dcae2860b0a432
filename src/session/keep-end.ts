/** Keeps the last bytes of what is added. */
export function keepEnd(most: number) {
  let chunks: Buffer[] = []
  let size = 0
  return {
    add: (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= 2 * most) return
      chunks = [Buffer.from(Buffer.concat(chunks).subarray(-most))]
      size = most
    },
    text: () => Buffer.concat(chunks).subarray(-most).toString(),
  }
}
