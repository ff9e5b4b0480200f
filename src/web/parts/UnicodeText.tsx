import { inUnicode } from '#web/parts/inUnicode.ts'

export default function UnicodeText({ text }: { text: string }) {
  return inUnicode(text)
}
