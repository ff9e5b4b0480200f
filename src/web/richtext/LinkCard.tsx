import classes from '#web/richtext/text.module.css'

/** A link to external content, as the card that a bare link becomes in a text; nothing is fetched from there. */
export const LinkCard = ({ href, name }: { href: string; name: string }) => (
  <p className={classes.text}>
    <a href={href} data-card={name} target="_blank" rel="noopener noreferrer">
      {href}
    </a>
  </p>
)
