import classes from '#web/richtext/text.module.css'

/** A link to what others show, as the card that a bare link is in a text; nothing of theirs is fetched. */
export const LinkCard = ({ href, name }: { href: string; name: string }) => (
  <p className={classes.text}>
    <a href={href} data-card={name} target="_blank" rel="noopener noreferrer">
      {href}
    </a>
  </p>
)
