/** Labels of the settings on the General tab, by field. */
export const generalLabels = {
  copyright: 'Copyright notice',
  start: 'Workday starts',
  end: 'Workday ends',
  trial_days: 'Trial length',
  reminder_days: 'Reminders',
  reply_assigns: 'Replies to unassigned tickets',
  confirms_tickets: 'New tickets of customers',
  asks_rating: 'Satisfaction',
}
