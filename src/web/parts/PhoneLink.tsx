/** A phone number as entered; tapping it starts a call. */
export const PhoneLink = ({ number }: { number: string }) => (
  <a href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>{number}</a>
)
