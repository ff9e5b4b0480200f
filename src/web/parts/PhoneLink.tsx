/** A phone number as typed; a tap calls it. */
export const PhoneLink = ({ number }: { number: string }) => (
  <a href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>{number}</a>
)
