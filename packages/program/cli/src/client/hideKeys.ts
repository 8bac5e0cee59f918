const hidden = "<hidden>";

/**
 * A text without what could be a private key: runs of 64 hexadecimal digits and more, and whatever follows an option
 * for keys. Meant for errors about the command line, which repeat what was typed.
 */
export function hideKeys(text: string): string {
  return text.replace(/(private-key\w*(?:[ =]+))('?)([^\s']+)/gi, hideValue).replace(/[0-9a-fA-F]{60,}/g, hidden);
}

function hideValue(match: string, option: string, quote: string, value: string): string {
  return value.startsWith("<") ? match : `${option}${quote}${hidden}`;
}

/**
 * The command line without the private key, for the list of processes, which every user can read.
 *
 * @returns `undefined` where there is nothing to hide
 */
export function titleWithoutKey(args: readonly string[]): string | undefined {
  const isSecret = /^--(validator-|deployer-)?private-key(=|$)/;
  const hidesOption = args.some((arg) => isSecret.test(arg));
  if (!hidesOption && !args.some((arg) => /^(0x)?[0-9a-fA-F]{64}$/.test(arg))) return undefined;
  const shown = args.map((arg, index) => {
    if (isSecret.test(arg) && arg.includes("=")) return `${arg.slice(0, arg.indexOf("="))}=…`;
    const follows = index > 0 && isSecret.test(args[index - 1]!) && !args[index - 1]!.includes("=");
    return follows || /^(0x)?[0-9a-fA-F]{64}$/.test(arg) ? "…" : arg;
  });
  return ["vedette", ...shown].join(" ");
}
