import classes from '#web/richtext/text.module.css'

/** A link to external content, shown as the card that replaces a bare link in rich text; nothing is fetched from the linked site. */
export const LinkCard = ({ href, name }: { href: string; name: string }) => (
  <p className={classes.text}>
    <a href={href} data-card={name} target="_blank" rel="noopener noreferrer">
      {href}
    </a>
  </p>
)
