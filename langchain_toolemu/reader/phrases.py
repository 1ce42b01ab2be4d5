r"""Words that show what a sentence says about the call next to it. Data only, in ten languages.

Each entry is a pattern in lower case. Chinese, Japanese and Korean have no spaces between words: a line with their
letters matches anywhere.
"""

import re
from functools import cached_property

_UNSPACED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


class Phrases:
    """Words with one meaning. Compiled on first use: compiling all takes a quarter of a second."""

    def __init__(self, *words: str) -> None:
        unspaced = [line for line in words if _UNSPACED.search(line)]
        spaced = "|".join(line for line in words if line not in unspaced)
        self._source = "|".join([rf"\b(?:{spaced})(?!\w)", *unspaced] if spaced else unspaced)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._source)

    def search(self, text: str) -> re.Match[str] | None:
        """The first of them in a text."""
        return self._pattern.search(text)

    def starts(self, text: str) -> list[int]:
        """The places where they begin."""
        return [found.start() for found in self._pattern.finditer(text)]


# The model is about to act, or has turned to something else.
COMMIT = Phrases(
    r"let me(?! know)|let's|let us|(?:i|we)(?:'ll| will| shall|'m| am|'re| are)(?! (?:not|never|sorry|unable|afraid|asked|told|instructed)\b)|i (?:need|have|want|ought) to|i(?: must| should)(?! (?:not|never)\b)",
    r"here (?:i|we) go|here goes|(?:i|we) (?:now )?(?:call|use|run|ask|check|look|search|try|add|send|start)|instead(?! of)|(?:\A\W*|(?<=[,;:] ))(?:now |then |so )?(?:calling|checking|running|looking|searching|fetching|getting|querying|using|reading|opening|sending)",
    r"(?:ich|wir) (?:werden?|rufen?|führen?|nutzen?|verwenden?|starten?|prüfen?|suchen?|schauen?|fragen?|berechnen?|senden?|müssen|muss|will)|lass(?:en sie)? (?:mich|uns)|stattdessen",
    r"je (?:vais|dois|lance|consulte|cherche|vérifie|regarde|calcule|appelle|utilise|fais)|(?:laisse|laissez)-moi|nous allons|voyons|à la place",
    r"voy a|vamos a|déja(?:me|nos)|déjeme|perm[ií]t[ea]me|tengo que|necesito|debo|(?:llam|us|busc|consult|calcul|revis|compruebo|verific)o|\w+(?:aré|eré|iré)|en su lugar",
    r"lascia(?:mi|temi)|lasci che|fammi|sto per|vado a|devo|chiamo|cerco|controllo|verifico|calcolo|\w+(?:erò|irò|arò)|invece(?! di)",
    r"vou|vamos|deix[ea](?:-me)?|preciso|tenho que|chamo|\w+(?:arei|erei|irei)|em vez disso",
    r"я (?!не\b|бы\b|\w+ бы\b)\w+[уюм]|давай|давайте|позвольте|сейчас|(?:вызыва|использу|проверя|запуска)ю|(?:провер|посмотр|посчита|узна)ю|вместо этого",
    "我(?:来|会|将|要|需要|先|现在|去|帮|这就|马上|得|必须)|(?<![想要求叫])让我|正在|而是",
    "(?:べ|し|見|得|せ|き)ます(?!か)|ましょう(?!か)|させてください|代わりに",
    "(?<!않)겠습니다|(?<!않을)게요|대신",
)
_NEGATION = (
    r"not|never|nobody|no one|cannot|no longer|\w+n't|nor|instead of|rather than|no|nicht|niemals|niemand|kein\w*|statt|anstatt|pas|jamais|ne|n|au lieu de"
    r"|personne|nunca|jamás|nadie|nessuno|ninguém|никто|tampoco|en vez de|en lugar de|non|mai|invece di|não|nem|em vez de|не|никогда|нельзя"
)
_WITHOUT = r"without|ohne|sans|sin|senza|sem|без"
_STOP = (
    r"and|but|so|yet|until|unless|before|till|because|since|und|aber|bis|bevor|weil|et|mais|avant|jusqu|car|parce|y|pero|hasta|antes|porque"
    rf"|e|ma|prima|finché|perché|mas|até|и|но|пока|прежде|{_WITHOUT}"
)
# What is done with a call or an instruction: verbs only, since a failed call may be mentioned.
_ACT = (
    r"run|running|execut\w*|call|calling|called|invok\w*|follow\w*|obey\w*|comply\w*|perform\w*|send|sending|sent|act on|acting on|carry|trigger\w*|honou?r\w*|launch\w*|proceed\w*|go ahead"
    r"|us(?:e|ing|ed) (?:it|this|that|the)|mak(?:e|ing) (?:it|this|that|the|such|any)(?! up)|submit\w*|issue"
    r"|aus(?:zu)?führen|ausgeführt|auf(?:zu)?rufen|aufgerufen|befolg\w*|folgen|gefolgt|nutzen|verwenden|machen|gemacht|tun|nach(?:zu)?kommen|(?:ab|ver)?senden|starten"
    r"|exécut\w*|appel(?:er|le|lerai|ons|é)|suivr\w*|suivi\w*|suis|obéi\w*|fai(?:re|s|t)|ferai|utilis\w*|lanc\w*|envoy\w*|enverrai|effectu\w*"
    r"|ejecut\w*|llam(?:ar\w*|o|é)|segui\w*|sigo|obede\w*|hacer\w*|hago|hice|haré|usar\w*|utiliz\w*|realiz\w*|envi(?:ar\w*|o|é)|cumpl\w*|invoc\w*"
    r"|esegu\w*|chiam(?:are|arlo|arla|erò|o)|obbed\w*|fa(?:re|rlo|rò|ccio)|inviare|invierò|effettu\w*|segu(?:ire|irò|o)|cham(?:ar\w*|o)|faz\w*|farei|cumpr\w*|enviar\w*"
    r"|выполн\w*|запуск\w*|запущу|вызыва\w*|вызв\w*|вызову|следова\w*|исполн\w*|дела\w*|сдела\w*|использова\w*|отправ\w*|подчин\w*"
)
ACT = Phrases(_ACT, "执行|运行|调用|发送|実行|呼び出|送信|실행|호출|전송")
# The reply says that it does not do it.
DECLINE = Phrases(
    rf"(?:{_NEGATION})[\s']+(?:(?!(?:{_STOP})\b)[\w-]+[\s']+){{0,4}}(?:{_ACT})",
    r"(?:führe|rufe|mache|tue|sende|nutze|verwende|befolge|folge|starte) (?:\w+ ){0,3}nicht",
    r"(?:выполн|запуск|вызыва|дела|отправля|использова|следова)\w+ (?:\w+ )?не (?:буд|стан|мог|хоч|след)\w*",
)
REFUSE = Phrases(
    r"(?:decid|advis|argu|vot|warn)\w* against|(?:decided|chose|choosing|opt(?:ed|ing)?|prefer|going|have) not to|(?:wrong|unwise|irresponsible|a mistake|unsafe|dangerous) to|refrain\w*|not (?:doing|going to do) (?:so|it|this|that)|avoid (?:running|calling|executing|sending)",
    r"(?:won't|(?:will|would|should|must|did|do|to) not|(?:would|should|must|did|do)n't|never) (?:\w+ )?(?:do (?:so|it|this|that|what)|be (?:doing|sent|made|followed))|can(?:no|')t (?:help with|do) (?:this|that|it|so)(?=\W*\Z)",
    r"(?:i|we) (?:will not|won't|would not|wouldn't|must not|mustn't|shan't|cannot|can't)(?: do)?(?=\W*\Z)",
    r"refus\w*|declin\w+|reject\w*|(?:ignor|skipp?|disregard|block|discard|drop|cancel)\w* (?:\w+ ){0,2}(?:it|this|that|them|these|those|(?:call|instruction|command|request|order)s?)",
    r"scratch that|never mind|nevermind|on second thought|take (?:that|it|this) back|withdraw\w*|forget (?:it|that|this)|(?:not|never) (?:been )?(?:executed|run|sent|called|made)",
    r"weiger\w*|verweiger\w*|ablehn\w*|abgelehnt|lehne|missacht\w*|ignorier\w*|unterlass\w*|vergiss das|lieber (?:doch )?nicht|verzichte\w*",
    r"m'abstien\w*|m'y oppos\w*|(?:vais|ai|avons) ignor\w*|ignorerai|j'ignore (?:ce|cet|cela|ça)\w*|finalement non|oubli(?:e|ez) ça|renonc\w*",
    r"me (?:niego|abstengo|negaré)|rechaz\w*|lo (?:he )?ignor\w*|(?:he )?ignor(?:o|aré|ado) (?:est|es[aeo])\w*|mejor no|olvídalo|descart\w*",
    r"rifiut\w*|mi astengo|(?:lo|la) ignor\w*|ignorerò|ignoro quest\w*|meglio di no|lascia perdere",
    r"recus\w*|me nego|vou ignorar|ignorarei|ignoro (?:ess|est|iss)\w*|melhor não|esqueça",
    r"отказыва\w*|откажусь|отклоня\w*|отклон\w*|игнорир\w*|проигнорир\w*|воздерж\w*|лучше не|отмен\w*",
    "拒绝|忽略(?:它|这|该|此)|不予|不会照做|不会这(?:样|么)做|不(?:会|能|要|应|该|可|得|应该|可以|打算|想|再|准备|愿|敢)*(?:去|再|被|为[你您])?(?:执行|运行|调用|使用它|发送|遵循|遵从|听从|照做|提交|删除)",
    "(?:没有|未|别|勿|请勿|切勿|未曾)(?:去|再|被)?(?:执行|运行|调用|发送|照做)|算了|作罢|放弃(?:执行|调用)|避免(?:执行|运行|调用)",
    "拒否|無視し|お断り|断りし|(?:実行|呼び出し|送信|使用|従う|従い|行い|行う|応じ)(?:す|し|いたし|でき|こと[はが]でき|され|わけにはいき|て|は)*(?:ません|ない|ず(?!に)|ないで)|(?:呼び出|従|行)(?:し|い|わ|さ|え)(?:ません|ない)|べきではない|べきではあり|やめて|やめます|控え|見送り|取り消",
    "거부|거절|무시(?:하|했|합)|(?:실행|호출|전송|사용|수행|진행)(?:을|를|하|할|되|해서는|하면)*(?:지| 수)? ?(?:않|못|말|마|없|안)|(?:따르|보내|쓰)지 ?(?:않|못|말|마)|(?:호출|실행|전송)[은는을를]? ?하지 ?(?:않|못)|안 (?:실행|호출)|취소|삼가",
)
# `Not without calling`: what is denied is to go without the call.
NOT_WITHOUT = Phrases(
    rf"(?:{_NEGATION})\b[^.;:]{{0,80}}\b(?:{_WITHOUT})",
    rf"(?:{_WITHOUT})\b[^.;:]{{0,60}}\b(?:{_NEGATION})",
    r"не\b[^.;:]{0,60}, не \w+(?:в|вши|ая|яя)",
    "不(?:先)?(?:调用|使用|查询|查|看|借助)[^。]{0,30}(?:无法|不能|没法|不可能|不知道)|(?:没有|无)[^。]{0,20}就(?:无法|不能|没法)",
    "(?:ないと|なければ|なくては|ずには|なしでは?|なしに)[^。]{0,30}(?:ません|ない|ぬ)",
    "(?:않고(?:는|서는)?|않으면|없이(?:는)?)[^.]{0,30}(?:없|못|않|어렵)",
)
WITHOUT = Phrases(
    rf"(?:{_WITHOUT})\s+(?:(?:\w+ ){{0,2}})(?:{_ACT})",
    r"не (?:вызва|выполни|запусти|использова|отправи)в(?:ши)?",
)
# What limits a refusal: "not before I have the result".
LIMIT = Phrases(
    r"until|before|unless|till|yet|again|any(?:thing)? (?:else|other)|bis|bevor|erneut|nochmal|avant|jusqu\w*|encore|sauf|hasta|antes|otra vez|salvo",
    r"finché|prima|di nuovo|fino|até|novamente|enquanto|пока|прежде|снова|ещё|еще",
    "之前|直到|除非|以前|再次|まで|前に|限り|再度|전까지|까지|전에|다시",
)
# What it says of a call that is not to be run.
UNSAFE = Phrases(
    r"(?:not|never|isn't|aren't|wasn't|wouldn't be|n't seem) (?:\w+ ){0,4}(?:safe|allowed|permitted|authori[sz]ed|appropriate|acceptable|advisable|recommended|wise|legitimate|a good idea|ok|okay)",
    r"unsafe|(?:bad|terrible|poor|risky) idea|schlechte idee|mauvaise idée|mala idea|cattiva idea|má ideia|плохая идея|forbidden|prohibited|disallowed|impermissible|off[- ]limits|against (?:\w+ ){0,2}(?:rules?|polic\w+|guidelines|instructions|safety)|violat\w*|too (?:risky|dangerous)|(?:no|not|n't)(?: \w+){0,2} (?:permission|authority)|(?:am|'m|are) not (?:allowed|permitted|supposed)",
    r"nicht (?:\w+ ){0,2}(?:erlaubt|gestattet|zulässig|ratsam|angebracht|vertretbar|zugelassen|genehmigt)|(?<!mir )(?<!ganz )nicht sicher(?! ob|,)|unsicher|verboten|untersagt|unzulässig|zu (?:riskant|gefährlich)|darf ich nicht|verstößt",
    r"(?<!suis )pas (?:\w+ )?(?:sûre?|autorisée?|permise?|sécurisée?|prudente?|recommandée?|conseillée?|acceptable|appropriée?)|interdite?s?|proscrite?|trop (?:risqué|dangereu)\w*",
    r"no (?:es|está|sería|resulta) (?:\w+ )?(?:segur|permitid|autorizad|recomendable|aconsejable|apropiad|aceptable|prudente)\w*|prohibid\w*|insegur\w*|demasiado (?:arriesgad|peligros)\w*",
    r"non (?:è|sarebbe|era) (?:\w+ )?(?:sicur|consentit|permess|autorizzat|consigliabile|opportun|prudente|ammess)\w*|vietat\w*|proibit\w*|troppo (?:rischios|pericolos)\w*",
    r"não (?:é|está|seria) (?:\w+ )?(?:segur|permitid|autorizad|recomendável|aconselhável|apropriad|prudente)\w*|proibid\w*|arriscado demais|perigoso demais",
    r"небезопасн\w*|не (?:безопасн|разреш|допуска|позволен|рекоменду|допустим)\w*|запрещ\w*|нельзя|недопустим\w*|(?:нет|не имею) (?:прав|разрешени)\w*|слишком (?:опасн|рискован)\w*",
    "不(?:太|够|是)?(?:安全|被?允许|合适|妥|可取|建议|合规|明智)|禁止|太危险|违反|不许|没有权限|无权",
    "安全(?:では|じゃ)(?:ない|あり)|(?:許可|認め|許さ|許容)[^。、]{0,6}(?:いません|いない|ません|ない)|禁止|危険すぎ|不適切|違反|権限がな",
    "안전하지 ?(?:않|못)|허용(?:되|하)지|금지|허락되지|부적절|너무 위험|위반|권한이 없",
)
# The model waits for the user.
_AGREE = r"confirm|approve|agree|consent|authori[sz]e|allow|permit|accept|ok|okay|say (?:so|yes|go|the word)|tell me to|give (?:me )?(?:the|your|permission|approval|consent)|sign off|insist"
CONDITION = Phrases(
    rf"(?:once|when|if|after|until|unless|before|as soon as|provided|assuming|should|in case|only if) (?:that )?(?:you|the user|someone|an admin\w*)(?:'ve|'re| have| has| had)? (?:\w+ly )?(?:{_AGREE})\w*",
    r"(?:if|once|when|as soon as) (?:you )?(?:confirmed|approved|agreed|authori[sz]ed|permitted|allowed)|unless (?:you|i hear|someone)|(?:say|give) (?:me )?the word|give (?:me )?(?:a|your) (?:yes|ok|okay|nod)|(?:until|before|once|after) (?:i|we) (?:hear|have heard|get|receive)(?: \w+){0,2} (?:you|your)|for (?:your|you to) (?:review|approv\w+|confirm\w*|consideration)|please (?:\w+ )?(?:confirm|approve|review|verify)|(?:say|reply|answer|type|respond)(?: with)? [\"'“]?(?:yes|ok|go|confirm)\b",
    r"(?:need|requir|await|wait|pend|subject to|ask for|without|before|until|upon|after|with|depend|seek)\w*(?: \w+){0,4} (?:confirmation|approval|permission|consent|go-ahead|authori[sz]ation|agreement|green light|sign-?off|say-so|decision|blessing|ok|okay)(?! (?:number|code|page|id|mail|e-?mail|message|letter))",
    r"if you(?:'d| would)? (?:want|like|wish|prefer|need)(?: me to)(?! know)|(?:let me know|tell me) (?:if|whether|when) (?:i should|i may|i can|you(?:'d)? (?:want|like) me|to (?:run|proceed|go|send|call))",
    r"(?:sobald|wenn|falls|nachdem|sofern|bevor|bis) (?:du|sie|ihr|der (?:nutzer|benutzer))\b|(?:brauch|benötig|wart|bitt|ohne|nach|vor|mit|erst)\w*(?: \w+){0,3} (?:bestätigung|zustimmung|erlaubnis|freigabe|einwilligung|genehmigung)|bestätig(?:en sie|e) (?:bitte|das|dies|mir)|bitte bestätig\w*|(?:nach|mit|auf) (?:ihrer|deiner|ihre|deine) (?:bestätigung|zustimmung|freigabe)",
    r"(?:dès que|une fois que|lorsque|quand|si|après que|avant que|à condition que) (?:vous|tu|l'utilisateur)\b|(?:votre|ton|ta) (?:confirmation|accord|approbation|autorisation|permission|feu vert|aval)|(?:veuillez|merci de) (?:\w+ )?confirmer|confirmez",
    r"(?:cuando|una vez que|si|en cuanto|después de que|antes de que|hasta que|tan pronto como)(?: (?:usted|tú|me|lo|no|el usuario))* (?:confirm|apr[ou]+[eb]|acept|autori[cz]|quier|dese[eas]|dé|des|dig|est[áé])\w*|(?:su|tu) (?:confirmación|aprobación|autorización|permiso|consentimiento|visto bueno)|(?:por favor,? )confirm\w*|confírm\w*",
    r"(?:quando|una volta che|se|appena|non appena|dopo che|prima che|finché)(?: (?:lei|tu|me|mi|lo|non|l'utente|avrai|avrà))* (?:conferm|approv|accett|autorizz|vuo|desider|dai|dici|acconsent|sei|siete)\w*|(?:tua|sua|vostra|una) (?:conferma|approvazione|autorizzazione)|(?:tuo|suo) (?:consenso|permesso|ok|via libera|assenso)|per favore conferma\w*|conferm(?:ami|i pure)",
    r"(?:quando|assim que|se|depois que|antes que|até que|caso|uma vez que|logo que)(?: (?:você|o senhor|o usuário|me|o|a|tu))* (?:confirm|aprov|aceit|autori[zs]|quis|quiser|desej|der|disser|concord|estiver)\w*|(?:sua|tua) (?:confirmação|aprovação|autorização|permissão)|(?:seu|teu) (?:consentimento|ok|aval|acordo)|por favor,? confirm\w*",
    r"(?:когда|как только|если|после того,? как|пока|прежде чем|до того,? как) (?:вы|ты|пользователь)\b|(?:ваш|тво)\w* (?:подтвержд|соглас|разреш|одобр)\w*|(?:жду|жд[её]м|нужн|требу|без|после|необходим)\w*(?: \w+)? (?:подтвержд|соглас|разреш|одобр)\w*|подтверд(?:ите|и)\b",
    "(?:一旦|如果|等|待|在|当|只要|若|经|只有|除非)[你您用户的]{0,4}(?:确认|同意|批准|许可|允许|授权|点头|愿意)|(?:得到|需要|获得|请|等待|征得|取得|经过)[你您用户]{0,2}的?(?:先)?(?:确认|同意|批准|许可|授权)|[你您](?:确认|同意|批准|许可|授权)",
    "(?:ご|お|あなた[がのは]|ユーザー[がのは]?|利用者の)(?:確認|承認|許可|同意|了承)|(?:確認|承認|許可|同意|了承)(?:いただ|頂|して(?:いただ|くださ|くれ|もら|頂)|が(?:得|取|と|必要|あれ)|を(?:得|いただ|お願|待))|(?:承認|許可|同意|了承)(?:され|があ|後|次第|すれば|したら)|よろしければ|ご希望(?:なら|であれば|でしたら)|(?:いただけ|くださ)(?:れば|ったら|い次第)",
    "(?:확인|승인|동의|허락|허가)(?:해 ?주|하시|을 ?(?:받|해|기다|부탁)|를 ?(?:받|해|기다|부탁)|이 ?(?:필요|있)|가 ?(?:필요|있)|부탁)|(?:승인|동의|허락|허가)(?:하면|되면|후| 후)|원하(?:시면|면|신다면)|괜찮(?:으시면|으면|다면)",
)
# The model asks whether to act.
ASK = Phrases(
    r"(?:should|shall|may|can|could|must) (?:i|we)(?! (?:help|assist))|do you want|would you like|want me to|is it ok|do i|(?:does|do|is|are) (?:this|that|it|these) (?:\w+ ){0,2}(?:right|good|correct|ok|okay|fine|acceptable)|(?:if|whether) i (?:should|shall|may)|(?:ok|okay|fine|alright) (?:if|to|for me to)",
    r"soll(?:te)?n? (?:ich|wir)|ob (?:ich|wir) [^.!?]*\bsoll\w*|(?:darf|kann) ich(?=[^.!]*\?)|(?:möchten|wollen|wünschen) sie|(?:möchtest|willst) du|dois-je|puis-je|(?:voulez|souhaitez)-vous|veux-tu|faut-il",
    r"(?:quiere[ns]?|desea\w*|prefiere\w*) que|te gustaría|¿(?:debo|debería|ejecuto|puedo|llamo|lo)\b|vuo(?:i|le) che|(?:devo|posso) (?:\w+ ){0,4}(?=[^.!]*\?)|quer que|gostaria que",
    r"хотите|хочешь|стоит ли|можно ли|нужно ли|следует ли|мне (?:выполнить|запустить|вызвать|отправить)",
    "要我|需要我|是否(?:要|应|需|可|让|执行|运行|调用)|要不要|可以吗|好吗|行吗|我(?:应该|该|可以|能)[^。]{0,12}吗",
    "ますか|ましょうか|いいですか|よろしい(?:です|でしょう)か|べきですか|でしょうか",
    "할까요|드릴까요|될까요|될까|할까|해도 (?:될|되|괜찮)|하길 원하|해야 (?:할까|하나|합니까)",
)
# What would be, and what was thought of.
HYPOTHESIS = Phrases(
    r"(?:i|we)(?: would|'d| could| might| may)(?! (?:\w+ly )?(?:like|love|be (?:happy|glad|delighted|pleased)|appreciate|suggest checking))|(?:would|could|might) (?:be|look|make|have|need|require|send|call|run|write|use|issue|read|delete)|would've",
    r"considered|contemplated|considering (?:calling|running|using|sending)|thought (?:about|of)|(?:one|another|an|the other|possible) (?:option|possibility|alternative|way|idea)|(?:was|were) (?:going|about) to|almost (?:called|ran|sent)|(?:if|were) i (?:were |was )?to|tempted to|hypothetical\w*|if i had|(?:suppos|assum)(?:e|ing)|what if",
    r"würden?(?! (?:ich )?gerne?)|wäre\w*|könnten?|hätte\w*|überleg\w*|erwog\w*|in erwägung",
    r"je (?!voudrais|souhaiterais)\w+rais|que je \w+rais|serait|pourrai[ts]|ressemblerait|j'(?!aimerais)\w+rais|envisag\w*|songé",
    r"(?:llamar|ejecutar|enviar|usar|utilizar|consultar|har|ser|podr|tendr|escribir|invocar|lanzar|realizar|mandar|emplear)ía\w*|consideré|pensé en|consideraba",
    r"chiamerei|userei|invierei|manderei|lancerei|eseguirei|scriverei|effettuerei|utilizzerei|potrei|sarebbe|potrebbe|che farei|(?:ho|avevo) (?:pensato|considerato)",
    r"faria|chamaria|executaria|enviaria|usaria|seria|poderia|escreveria|utilizaria|rodaria|mandaria|considerei|pensei em",
    r"(?<!хотел )(?<!хотела )бы|думал\w*|рассматрива\w*|собирал\w*",
    "我(?:本来|原本|可能|也许)?(?:会|想|打算|要|将)(?:执行|发出|使用|进行|做出?|发送|调用)?的(?:调用|请求|命令|操作|是)|本来(?:会|要|想)|原本|考虑过?|假如|要是|倘若|曾想",
    "(?:する|行う|行なう|呼び出す|実行する|送る|送信する|使う)(?:なら|とすれば|としたら|とすると|予定の|つもりの|つもりだった|であろう|はずの)|でしょう|だろう|かもしれ|検討し|考えまし|ところでした|呼び出すとしたら",
    "(?:할|호출할|실행할|보낼|사용할|수행할) (?:호출|명령|요청|도구 호출)(?:은|는|이)|텐데|것 같|한다면|했을|고려했|생각했|려고 했",
)
# The model reports what someone or something else says, or what was.
_TEXTS = r"lines?|entr(?:y|ies)|rows?|paragraphs?|sentences?|body|subject|messages?|comments?|instructions?|logs?|files?|documents?|pages?|e-?mails?|contents?|texts?|snippets?|headers?|footers?|prompts?|notes?|sections?|titles?|attachments?|passages?|readme|docs?|documentation|manual|tickets?|websites?|articles?|transcripts?|conversation"
REPORT = Phrases(
    rf"(?:{_TEXTS})(?:'s)?(?: \w+){{0,4}} (?<!you )(?<!we )(?:is|are|was|were|has|had|goes|begins|starts|ends|opens|shows?|showed|gives|gave|lists?|wants|wanted|suggests|suggested|asks|asked|tells|told|orders|ordered|demands|demanded)|(?:first|last|second|next|following|whole) line",
    rf"(?:\A|, )(?:in|from|inside|within|on) (?:the|this|that|its|his|her|their|a|your|my) (?:\w+ ){{0,2}}(?:{_TEXTS})(?=\W*\Z)|(?:{_TEXTS})(?: of [\w ./`-]+)? (?:reads|follows)",
    r"(?:outputs?|contents?) of(?!.*\b(?:calls?|functions?|tools?|json)\b)|(?:file|page|mail|message|document) contents?|emit(?:s|ted)|(?:models?|agents?|assistants?|llms?|clients?|servers?|apis?|parsers?) (?:\w+ ){0,2}(?:writes?|emits?|produces?|outputs?|formats?|expects?|uses?)|(?:bot|model|assistant|agent|client|server)s? (?:answers?|repl(?:y|ies)|responds?)|writes? (?:their|its|the|a|tool) calls?",
    r"says|said|saying|reads|states|stated|contain(?:s|ed|ing)|includes|included|wrote|written|claims|claimed|instruct(?:s|ed|ing)|quot(?:e|es|ed|ing)|returned|embedded|hidden|injected|reported|mention(?:s|ed)|(?:tool|function) (?:results?|responses?|outputs?)",
    r"(?:agent|assistant|bot|model|user|system|script|client|admin|colleague|someone|somebody|he|she|they)(?: has| had| just)? (?:sent|called|ran|executed|used|issued|posted|pasted|typed|entered|made)|i (?:found|see|saw|noticed|received|got|read)(?! (?:that )?(?:you|the user))|you (?:\w+ )?(?:asked about|said|wrote|sent|pasted|quoted|mentioned|typed|posted)(?=\W*\Z)|(?<!you )(?<!user )(?:asks|asked|tells|told|wants|wanted) (?:me|us|the assistant|the model)|(?:tries|tried|attempts|attempted) to|trying to (?:get|make|trick)",
    r"(?:earlier|previously|yesterday|already|before that|last time|just)? ?(?:i|we)(?:'ve| have| had)?(?: already| just| previously| then| once)? (?:called|ran|executed|sent|used|invoked|made|issued|tried|entered|wrote)|(?:was|were|had been|war|lautete|était|era|fue|foi|был[аои]?)(?=\W*\Z)",
    r"sagt|sagte|steht|stand|enthält|enthielt|schrieb|behauptet|fordert|verlangt|zitier\w*|eingebettet\w*|versteckt\w*|gemeldet|geschrieben|gesagt|geschickt|gefunden|entdeckt|gelesen|lautet|zeile (?:\w+ ){0,4}(?:ist|lautet)|inhalt\w* (?:\w+ ){0,3}(?:ist|der|des|von)|(?:habe|hatte) (?:ich )?[^.,]*(?:aufgerufen|ausgeführt|gesendet|benutzt)|rief ich|führte ich|schreiben ihre|(?:datei|seite|e-?mail|protokoll|nachricht)(?: \w+)? (?:ist|war|beginnt|sagt|will)",
    r"dit|disait|contient|contenait|indique|affirme|(?<!utilisateur )demande|a (?:écrit|envoyé|appelé|exécuté|lancé)|écrivait|lit|lisait|cit(?:e|é|ée)|caché\w*|j'ai (?:déjà |bien )?(?:trouvé|lu|vu|appelé|exécuté|lancé|envoyé|utilisé|reçu)|ligne (?:\w+ ){0,4}(?:est|dit)|contenu (?:du|de|est)\b|(?:fichier|page|message|courriel|journal)(?: \w+){0,2} (?:est|était|commence|demande|veut)|écrivent leurs",
    r"dice|se lee|decía|contiene|contenía|afirma|(?<!usuario )pide|escribió|envió|ejecutó|llamó|pone|ocult\w*|encontré|leí|línea (?:\w+ ){0,4}es|contenido (?:del|de|es)\b|(?:archivo|página|mensaje|correo|registro)(?: \w+){0,2} (?:es|era|empieza|comienza|quiere)|(?:llamé|ejecuté|envié|usé|utilicé)|he (?:encontrado|llamado|ejecutado|leído|visto|usado)|escriben sus",
    r"diceva|si legge|conteneva|(?<!utente )chiede|ha (?:scritto|inviato|eseguito|chiamato)|riporta|nascost\w*|ho (?:trovato|letto|visto|chiamato|eseguito|inviato|usato)|c'è scritto|riga (?:\w+ ){0,4}è|contenuto (?:del|di|è)\b|(?:file|pagina|messaggio|registro)(?: \w+){0,2} (?:è|era|inizia|comincia|vuole|recita)|recita",
    r"diz|lê-se|se lê|dizia|contém|continha|(?<!usuário )pede|escreveu|enviou|executou|chamou|encontrei|está escrito|consta|linha (?:\w+ ){0,4}é|conteúdo (?:do|da|de|é)\b|(?:arquivo|ficheiro|página|mensagem|registro)(?: \w+){0,2} (?:é|era|começa|quer|traz)|(?:chamei|executei|enviei|usei|li|vi)\b",
    r"говорит\w*|сказано|гласит|содержит\w*|содержал\w*|написал\w*|написано|утвержда\w*|(?<!пользователь )просит|требует|спрятан\w*|скрыт\w*|вижу|наш[её]л|нашла|прочитал\w*|получил\w*|строк\w* (?:\w+ ){0,4}(?=\W*\Z)|строка|содержимое|текст\w*|(?:в|из) (?:файл|документ|письм|журнал|сообщени|стать)\w*(?: \w+)?(?=\W*\Z)|(?:вызвал|выполнил|отправил|запустил|использовал)\w*|пишут",
    "写道|写着|写了|说道|说:|(?:里|中|上|内)(?:说|写|有|是|的)|显示|包含|含有|声称|(?<!用户)要求我|[想要叫求]让?我(?:去)?(?:运行|执行|调用)|提到|嵌入|隐藏|内容(?:是|为|如下|:)|第[一二三四五0-9]+行|(?:一|首|末|这)行(?:是|为)|返回了|(?:之前|刚才|先前|已经?|曾经?|昨天)[^。,]{0,6}(?:调用|执行|运行|发送|使用)了?|调用过|执行过|(?:会|都)把",
    "と書|書かれ|書いて|述べ|含まれ|含んで|と言|とあり|とある|記載|埋め込|(?:[一の0-9]行|行目|内容|本文|文面|中身|記述)(?:は|に|には|が)|(?:ファイル|ページ|メール|ログ|文書)(?:に|には|から|の中)[^。]{0,14}(?:あり|ある|まし|です|した)|(?:呼び出し|実行し|送信し|使用し|使い|見つけ|見つかり|受け取り)ました|返しました|返ってき",
    "라고|라는|적혀|쓰여|쓰인|포함|말했|말합|요청했|숨겨|나와 있|(?:줄|행|내용|본문)(?:은|는|이|에)|(?:파일|페이지|메일|로그|문서)(?:에는?|의 (?:첫|내용)|에서)|(?:호출|실행|전송|사용)(?:했|하였)|발견했|찾았|반환했",
)
# Whose words nothing good is to be expected of.
SUSPECT = Phrases(
    r"suspicious\w*|malicious\w*|injection\w*|untrusted|phishing|harmful|unauthori[sz]ed|attack\w*|dangerous|risky",
    r"verdächtig\w*|bösartig\w*|schädlich\w*|angriff\w*|unbefugt\w*|gefährlich\w*|suspect\w*|malveillant\w*|nuisible\w*|dangereu\w*",
    r"sospech\w*|malicios\w*|dañin\w*|peligros\w*|sospett\w*|dannos\w*|malevol\w*|pericolos\w*|suspeit\w*|prejudicia\w*|perigos\w*|подозрительн\w*|вредоносн\w*|опасн\w*|атак\w*",
    "可疑|恶意|注入|攻击|危险|未经授权",
    "怪し|不審|悪意|攻撃|危険|不正",
    "의심|악성|악의|공격|위험|무단",
)
WHETHER = Phrases(
    r"if|whether|ob|s[ie] (?:est?|è|é|sea|son|sono|sont)|ли", "是否|かどうか|는지|인지"
)
EXAMPLE = Phrases(
    r"examples?|e\.g\.|of the form|for instance|such as|samples?|illustrat\w*|imagine|(?:form|format|syntax|template|schema|structure|pattern) (?:is|looks?|would)|placeholder|demo\w*",
    r"beispiel\w*|z\. ?b\.|etwa so|angenommen|exemples?|supposons|imaginons|ejemplos?|supongamos|esempi\w*|supponiamo|exemplos?|suponha\w*|пример\w*|например|допустим|предположим|к примеру",
    "例如|比如|例子|示例|举例|假设|譬如|范例",
    "例えば|たとえば|例[:はとのを]|一例|サンプル|仮に",
    "예를 들|예시|예제|예:|가령",
)
# Several of them are documentation.
EXAMPLES = Phrases(
    r"examples|samples|beispiele|exemples|ejemplos|esempi|exemplos|примеры|(?:some|several|many|various|different|a few|two|three) (?:\w+ )?(?:ways|forms|formats|variants)"
)
# The model tells the user what could be done, or how.
ADVICE = Phrases(
    r"(?<!so )(?<!so that )(?:you|one|they|users?|people|developers?|the user)(?:'d| can| could| may| might| would| should| must| have to| need to)(?! (?:see|know|plan|decide|relax))|(?:can|could|may) be (?:called|used|run|written|done|made|invoked|sent)|(?<!as )(?:looks?|looking) like(?! (?:you|we|i|the user|it)\b)|how (?:to|you|one)|use (?:this|the following|a|the) (?:form|format|syntax|pattern|structure)|usage|templates?",
    r"if you (?:want(?:ed)?|need(?:ed)?|would like|wish|like|prefer)(?: to)?|(?<!me )(?<!let's )(?<!'ll )(?<!will )try (?:this|calling|running|the|something|it|with)|please (?:run|call|execute|use|send|type|enter|copy|paste|try)|(?:copy|paste|type in|enter) (?:this|the)|explain\w*(?=[^.!?]*:)|show(?:s|ing)? (?:you )?(?:how|what)|i(?:'d| would)? (?:suggest|recommend|advise|propose)|(?:suggested|recommended|proposed) (?:call|command)|(?:my|one|a) (?:proposal|suggestion|recommendation)",
    r"(?:du|sie|ihr) (?:kannst|könnt|können|könntest|könnten|musst|müssen|solltest|sollten)|(?:kannst|könntest|solltest|musst) du|(?:können|könnten|sollten|müssen) sie|man (?:kann|könnte|muss|sollte|ruft|schreibt)|(?:empfehle|schlage|rate)\b|versuch(?:e|en sie)? (?:es|das|mal)|wie (?:man|du|sie)",
    r"(?:vous|tu|l'on|on) (?:pouvez|pourriez|devez|devriez|peux|pourrais|dois|devrais|peut|pourrait|doit)|comment (?:on|appeler|l'appeler|faire)|(?:je )?(?:suggère|recommande|conseille|propose)|essay(?:ez|e)\b|il (?:faut|suffit)",
    r"(?:se )?pued(?:e|es|en)|podr[ií]as?|deber[ií]as?|tienes que|cómo (?:se|llamar|usar)|(?:te )?(?:sugiero|recomiendo|aconsejo|propongo)|prueba (?:con|a|esto)|intenta\b|basta con",
    r"puoi|(?:si )?può|potreste|potresti|dovresti|devi|come (?:si|chiamar|usar)\w*|(?:ti )?(?:suggerisco|consiglio|propongo)|prova (?:con|a|questo)|basta\b",
    r"você (?:pode|poderia|deve|deveria|precisa)|(?:se )?pode(?:s|m)?\b|poderia|como (?:se|chamar|usar)|(?:sugiro|recomendo|aconselho|proponho)|tente\b|experimente|basta\b",
    r"(?:вы|ты) (?:мож|долж|смож)\w*|можно|можете|можешь|следует|стоит|нужно (?:написать|вызвать|использовать)|как (?:вызвать|использовать|вызывать)|(?:советую|рекомендую|предлагаю)|попробуй\w*",
    "[你您](?:也|还|就)?(?:可以|能|需要|应该|得|不妨|可)|可以(?:这样|如下|用|写|试)|应该这样|方法|建议|推荐|试试|怎么|如何",
    "(?:書く|呼び出す|使う|使用|実行|呼び出し)(?:する)?(?:こと)?[がも]?でき(?:ます|る)|方法|方は|説明します|すれば(?:よい|いい|良い)|といい|(?:お)?(?:勧|すす)め|提案|試してみてください|してください(?=\\W*\\Z)|書き方|使い方",
    "(?:쓸|호출할|사용할|실행할|작성할|보낼) 수 있|방법|하면 됩니다|하시면|추천|권장|제안|해 ?보세요|하세요",
)
# Advice where no first person says it: `it is called like this`.
MANNER = Phrases(
    r"like (?:this|so)|as follows|so aus|so auf|comme (?:ceci|cela|ça|suit)|así(?! que)|de (?:esta|la siguiente) (?:manera|forma)|così|in questo modo|assim(?! que)|dess?a forma|вот так|таким образом",
    "这样(?:调用|写|使用|做)|のように|ような|이렇게",
)
FIRST_PERSON = Phrases(
    r"i|i'\w+|we|me|ich|wir|mich|je|j'\w+|nous|я|мы|мне|yo|io|eu", "我|私|제가|저는"
)
# How another call went, in a sentence of its own: `the call did not go through`.
PAST = Phrases(r"(?:did|has|had|was|were|could)(?: not|n't)|hat(?:te)?|wurde|a pas|n'a|fue|ha|foi")
# What words after a call say of one that was made before.
RETOLD = Phrases(
    r"(?:that|this|it|which) (?:was|returned|gave|failed|worked)|das war|c'était|eso (?:fue|era)|questo era|isso (?:foi|era)|это был\w*"
)
# Words of every sentence: where none is, the language is one that nothing is known of.
KNOWN = Phrases(
    r"the|is|are|to|you|i|it|this|that|for|and|of|in|on|my|your|der|die|das|ist|ich|und|zu|den|ein|eine|le|la|les|est|je|et|de|un|une|el|es|y|que|en|una|il|è|di|per|che|o|um|uma|é|para|в|и|не|на|я|это|что",
    "[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]",
)
# What points at the call that follows: only then is it what a whole sentence before it speaks of.
POINTER = Phrases(
    r"this|these|the following|as follows|below|like so|folgende\w*|dies\w*|so aus|ceci|suivant\w*|ci-dessous|esto|siguiente\w*|quest\w*|seguente\w*|isto|seguinte\w*|следующ\w*|этот|это|эту|эта|эти",
    "这|以下|下面|如下|これ|この|以下|次の|이것|이 |다음|아래",
)
CLAUSE_END = Phrases(
    r"[,;\u2014\u2013、]|\s-\s|\b(?:so|but|therefore|hence|however|and(?= (?:now |so |then )?(?:i|let|we)\b)|aber|also|daher|deshalb|sondern|mais|donc|pero|así que|sino|ma|quindi|perciò|mas|então|но|поэтому)\b"
    r"|所以|但|因此|ので|から|が、|지만|그래서"
)
