/**
 * Removes users and passwords from addresses in a text: `https://ada:secret@host` becomes
 * `https://host`. Addresses of peers (`rnode://<id>@host`) keep their id.
 */
export function withoutPasswords(text: string): string {
  return text.replace(logins, "$1");
}

/** A password may have an @ of its own: the last one before the path counts. */
const logins = /\b((?!rnode:)[a-z][a-z\d+.-]*:\/\/)[^\s/?#"'`<>]*@/gi;
