/** A phone number as entered; tapping it starts a call, which dials its extension if it has one. */
export const PhoneLink = ({ number }: { number: string }) => <a href={addressOf(number)}>{number}</a>

const digits = (text: string) => text.replaceAll(/[^\d+]/g, '')

function addressOf(number: string): string {
  const [own, extension] = number.split(/(?<=\d[^\da-z]*)(?:;ext=|ext(?:ension|n)?|x|#)/i)
  return extension === undefined ? `tel:${digits(number)}` : `tel:${digits(own!)};ext=${digits(extension)}`
}
