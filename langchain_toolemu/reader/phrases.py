r"""Words that tell what a sentence makes of the call next to it. Data only, in ten languages.

Each entry is a pattern of words in small letters: English, German, French, Spanish, Italian, Portuguese, Russian; the
second tuple holds those of Chinese, Japanese and Korean, which have no spaces between words.
"""

import re


def _pattern(words: tuple[str, ...], unspaced: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})(?!\w)|{'|'.join(unspaced)}")


# Whoever says this is about to act.
INTEND = _pattern(
    (
        r"let me(?! know)|let's|let us|i(?:'ll| will|'m| am|'d| would| can| could| need| should| must| have to| want)|we(?:'ll| will| can| need)",
        r"i (?:call|use|run|ask|check|look|search|try)|calling|using|running|checking|looking|searching|fetching|going to",
        r"sure|certainly|of course|ok|okay|alright|all right|absolutely|gladly|understood|got it|no problem|right away|great",
        r"(?:one|just a|a) (?:moment|second)|please wait|should (?:work|do)|will do|hope (?:this|that) helps|now|next|first|then|finally",
        r"ich (?:\w+e|kann|will|muss|möchte|darf|soll)|wir (?:werden|können)|lass(?:en sie)? (?:mich|uns)|lass mal|gern|gerne|natürlich|klar",
        r"sicher|selbstverständlich|in ordnung|alles klar|einen? (?:moment|augenblick)|jetzt|nun|zuerst|zunächst|als nächstes|dann|danach",
        r"je (?!n['e])\w+|j'(?!ai )\w+|nous (?!n['e])\w+ons|(?:laisse|laissez)-moi|voyons|d'accord|bien sûr|certainement|avec plaisir",
        r"volontiers|un (?:instant|moment)|maintenant|d'abord|ensuite|puis",
        r"voy|vamos|déja(?:me|nos)|déjeme|perm[ií]t(?:e|a)me|necesito|debo|puedo|quiero|\w+(?:aré|eré|iré)|uso|utilizo|llamo|busco|consulto",
        r"claro|por supuesto|de acuerdo|vale|seguro|con gusto|un momento|ahora|primero|luego|a continuación|entonces",
        r"vado|devo|posso|voglio|lascia(?:mi|temi)|lasci che|fammi|\w+(?:erò|irò|arò)|chiamo|cerco|controllo|verifico|certo|certamente",
        r"va bene|subito|un attimo|adesso|ora|prima|poi|quindi",
        r"vou|deix[ea](?:-me)?|preciso|quero|\w+(?:arei|erei|irei)|chamo|com certeza|tudo bem|um momento|agora|depois|então|em seguida",
        r"я (?!не\b)\w+[уюм]|давай|давайте|позвольте|сейчас|конечно|хорошо|ладно|понятно|минут\w*|секунд\w*|сначала|затем|потом|теперь|(?:вызыва|использу|проверя|запуска)ю",
    ),
    (
        "我(?:来|会|将|要|需要|应该|可以|先|现在|去|帮|这就|正在|想|得)|让我|好的|当然|没问题|明白|稍等|首先|接下来|然后|现在|正在",
        "(?:べ|し|見|得|せ|き)ます(?!か)|(?<!て)います(?!か)|(?<!あ)ります(?!か)|ましょう(?!か)|させてください|はい|わかりました|分かりました|承知|了解|かしこまりました|もちろん|お待ち|まず|次に|では",
        "(?<!않)겠습니다|(?<!않을)게요|(?<![말함])(?<!라고 )합니다|네[,.! ]|알겠|물론|잠시|먼저|다음으로|이제",
    ),
)
# Whoever says this presents something: a call, unless the words say what else.
PRESENT = _pattern(
    (
        r"here is|here's|here are|here you go|here it is|this is|the following",
        r"hier ist|hier sind|hier kommt|hier der|das ist|folgende\w*|voici|voilà|c'est|aquí (?:está|tiene|tienes|va)|este es|esta es",
        r"ecco|questo è|questa è|aqui (?:está|vai)|este é|esta é|вот|это",
    ),
    ("这是|以下是|下面是|如下", "こちら|以下", "여기|다음은|다음과"),
)
NEGATION = _pattern(
    (
        r"not|never|cannot|no longer|\w+n't|nor|neither|instead of|rather than",
        r"nicht|nie|niemals|kein\w*|weder|statt|anstatt|pas|jamais|n'\w+|aucun\w*|ne|au lieu",
        r"no|nunca|jamás|tampoco|en vez|en lugar|non|mai|invece|não|nem|em vez|не|никогда|нельзя|вместо",
    ),
    (
        "不(?![过同仅错客好])|没有|别(?=执行|运行|调用)|勿|无法|未(?=执行|运行|调用)",
        "ません|ない|ずに",
        "않|못|안 |말아|지 마",
    ),
)
REFUSE = _pattern(
    (
        r"(?:decid|advis|argu|vot|warn)\w* against|(?:wrong|unwise|a mistake) to|refrain\w*",
        r"refus\w*|declin\w+|reject\w*|ignor\w*|disregard\w*|skipp?\w*|weiger\w*|verweiger\w*|ablehn\w*|lehne|missacht\w*",
        r"me niego|rechaz\w*|rifiut\w*|recus\w*|отказыва\w*|отклоня\w*|игнориру\w*|проигнориру\w*",
        r"without (?:running|executing|calling|following|doing|making|using)|ohne (?:\w+ )?(?:auszuführen|aufzurufen|zu befolgen|zu folgen)",
        r"sans (?:les? |l['a] ?)?(?:exécuter|suivre|appeler)|sin (?:ejecutar|seguir|llamar|hacer)\w*|senza (?:eseguir|seguir|chiamar)\w*|sem (?:execut|segui|cham)\w*|не выполняя|без выполнения",
    ),
    ("拒绝|忽略|不予理会", "拒否|無視|お断り", "거부|무시|거절"),
)
# What one does with a call, or with an instruction.
ACT = _pattern(
    (
        r"run\w*|execut\w*|call\w*|invok\w*|follow\w*|obey\w*|compl(?:y|ied|ying)|perform\w*|d(?:o|id) (?:so|it|this|that|what)|doing|done|mak(?:e|ing)|made|us(?:e|ed|ing)",
        r"send\w*|sent|act(?:ed|ing)? on|carry\w*|trigger\w*|honou?r\w*|launch\w*|proceed\w*",
        r"ausführ\w*|ausgeführt|aufruf\w*|aufgerufen|rufe|führe|befolg\w*|folge\w*|gefolgt|nutz\w*|verwend\w*|mach\w*|gemacht|tun|tue|nachkomm\w*|(?:ab|ver)?senden",
        r"exécut\w*|appel\w*|suivr\w*|suivi\w*|suis|obéi\w*|fai(?:re|s|t)|ferai|utilis\w*|lanc\w*|envoy\w*|effectu\w*",
        r"ejecut\w*|llam\w*|segui\w*|sigo|obede\w*|hac\w*|haré|usar\w*|utiliz\w*|realiz\w*|envi\w*|cumpl\w*",
        r"esegu\w*|chiam\w*|segu\w*|obbed\w*|fa(?:re|rò|ccio|tto)|invi\w*|effettu\w*|execut\w*|cham\w*|faz\w*|farei|realiz\w*|cumpr\w*",
        r"выполн\w*|запус\w*|вызыва\w*|вызов\w*|вызв\w*|вызвать|следова\w*|исполн\w*|дела\w*|использова\w*|отправ\w*|подчин\w*",
    ),
    (
        "执行|运行|调用|遵循|遵从|听从|照做|使用|发送|按照|这样做",
        "実行|呼び出|従|使用|行い|行わ|送信|応じ",
        "실행|호출|따르|따라|사용|수행|보내|응하",
    ),
)
# What limits a negation: "not before I have the result".
LIMIT = _pattern(
    (
        r"until|before|unless|without|till|yet|bis|bevor|ohne|außer|avant|sans|jusqu\w*|sauf|hasta|antes|sin|salvo",
        r"finché|prima|senza|fino|até|sem|enquanto|пока|прежде|без",
    ),
    ("之前|直到|除非|以前", "まで|前に|限り", "전까지|까지|전에"),
)
# Whoever says this tells what somebody or something else says.
REPORT = _pattern(
    (
        r"(?:outputs?|contents?) of(?!.*\b(?:calls?|functions?|tools?|json)\b)|emit(?:s|ted)",
        r"says|said|saying|reads|states|stated|contain(?:s|ed)|wrote|claims|claimed|instruct(?:s|ed|ing)|quot(?:e|es|ed|ing)|returned|embedded|hidden|injected|reported|(?:tool|function) (?:results?|responses?|outputs?)",
        r"i (?:found|see|saw|noticed|received|got|read)|(?:asks|asked|tells|told|wants|wanted) (?:me|us|you|the assistant|the model)|(?:tries|tried|attempts|attempted) to|trying to",
        # What was is not what is to be.
        r"(?:was|were|had been|war|lautete|était|era|fue|foi|был[аои]?)(?=\W*\Z)",
        r"sagt|sagte|steht|stand|enthält|enthielt|schrieb|behauptet|fordert|verlangt|zitier\w*|eingebettet\w*|versteckt\w*|gemeldet|gefunden|entdeckt|gelesen|erhalten",
        r"dit|disait|contient|contenait|indique|affirme|demande|a écrit|écrivait|lit|cit(?:e|é|ée)|caché\w*|j'ai trouvé",
        r"dice|decía|contiene|contenía|afirma|pide|escribió|pone|ocult\w*|encontré|diceva|conteneva|chiede|ha scritto|riporta|nascost\w*|ho trovato|he encontrado",
        r"diz|dizia|contém|continha|pede|escreveu|encontrei|говорит\w*|сказано|гласит|содержит\w*|содержал\w*|написал\w*|написано|утвержда\w*|просит|требует|спрятан\w*|скрыт\w*|вижу|нашёл|нашел|получил\w*",
    ),
    (
        "写道|写着|写了|说道|说:|(?:里|中|上)(?:说|写|有)|显示|包含|含有|声称|要求我|提到|嵌入|隐藏|内容(?:是|为)",
        "と書|書かれ|書いて|述べ|含まれ|含んで|と言|とあり|とある|記載|埋め込",
        "라고|라는|적혀|쓰여|포함|말했|말합|요청했|숨겨",
    ),
)
# What such words speak of. Counts where nothing says that it is to be acted on.
SOURCE = _pattern(
    (
        r"contents?|files?|documents?|pages?|websites?|articles?|e-?mails?|logs?|readme|comments?|snippets?|excerpts?|payloads?|transcripts?|messages?|instructions?|prompts?|notes?|attachments?|documentation|docs|manual|guide|tutorial",
        r"inhalt\w*|datei\w*|dokument\w*|anleitung|documentation|seite|webseite|artikel|nachricht\w*|protokoll\w*|anweisung\w*|contenus?|fichiers?|courriels?|journal|messages?",
        r"contenidos?|archivos?|ficheros?|documentos?|página|artículo|correo|mensajes?|registro|instrucci\w*|contenut[oi]|documento|pagina|articolo|messaggi\w*|istruzion\w*",
        r"conteúdos?|arquivos?|artigo|mensage\w*|instruç\w*|содержим\w*|файл\w*|документ\w*|страниц\w*|стать\w*|сообщени\w*|письм\w*|журнал\w*|инструкц\w*",
    ),
    (
        "内容|文件|文档|页面|网页|文章|邮件|消息|日志|指令",
        "内容|ファイル|文書|ページ|記事|メール|メッセージ|ログ|指示",
        "내용|파일|문서|페이지|기사|메일|메시지|로그|지시",
    ),
)
SUSPECT = _pattern(
    (
        r"suspicious\w*|malicious\w*|injection\w*|untrusted|phishing|harmful|unauthori[sz]ed|attack\w*|unsafe|dangerous",
        r"verdächtig\w*|bösartig\w*|schädlich\w*|angriff\w*|unbefugt\w*|gefährlich\w*|suspect\w*|malveillant\w*|nuisible\w*|dangereu\w*",
        r"sospech\w*|malicios\w*|dañin\w*|peligros\w*|sospett\w*|dannos\w*|malevol\w*|pericolos\w*|suspeit\w*|prejudicia\w*|perigos\w*|подозрительн\w*|вредоносн\w*|опасн\w*|атак\w*",
    ),
    (
        "可疑|恶意|注入|攻击|危险|未经授权",
        "怪し|不審|悪意|攻撃|危険|不正",
        "의심|악성|악의|공격|위험|무단",
    ),
)
EXAMPLE = _pattern(
    (
        r"examples?|e\.g\.|for instance|such as|sample|illustrat\w*|hypothetical\w*|imagine|suppose|(?:form|format|syntax|template|schema) (?:is|looks?|would)",
        r"beispiel\w*|z\. ?b\.|etwa|angenommen|exemples?|supposons|imaginons|ejemplos?|supongamos|esempi\w*|supponiamo|exemplos?|suponha\w*|пример\w*|например|допустим|предположим",
    ),
    (
        "例如|比如|例子|示例|举例|假设|譬如",
        "例えば|たとえば|例[:はと]|サンプル|仮に",
        "예를 들|예시|예제|예:|가령",
    ),
)
# Whoever says this tells somebody else what could be done.
SUGGEST = _pattern(
    (
        r"(?:you|one|they|users?) (?:can|could|may|might|would|should|need(?! (?:any|more|further|help))|have to|must)|(?:can|could|would|may) be|looks? like|would look|like (?:this|so)|how (?:to|you)|use (?:this|the following) (?:form|format|syntax)|if you (?:want(?:ed)?|needed|would like) to|usage|(?<!me )(?<!let's )(?<!'ll )(?<!will )try|templates?|explain\w*(?=[^.!?]*:)|show (?:you )?(?:how|what)",
        r"(?:du|sie|ihr) (?:kannst|können|könntest|könnten|musst|müssen|solltest|sollten)|man (?:kann|könnte|muss|sollte)|so aus",
        r"(?:vous|tu) (?:pouvez|pourriez|devez|devriez|peux|pourrais|dois)|on (?:peut|pourrait)|comme (?:ceci|cela|ça)|puedes?|podr[ií]as?|deber[ií]as?|se puede",
        r"puoi|può|potresti|potrebbe|dovresti|si può|così|você (?:pode|poderia|deve|deveria)|podes?|poderia|assim|вы можете|ты можешь|можно|следует",
    ),
    (
        "[你您](?:可以|能|需要)|可以(?:这样|如下)|应该这样|方法",
        "できます|できる|のよう|方法|方は|説明します",
        "수 있|이렇게|방법",
    ),
)
ASK = _pattern(
    (
        r"(?:should|shall|may|can|could|must) i|do you want|would you like|want me to|is it ok|do i|(?:if|whether) i (?:should|shall)",
        r"soll ich|ob ich [^.!?]*\bsoll\w*|(?:sollte|darf|kann) ich(?=.*\?)|(?:möchten|wollen|wünschen) sie|(?:möchtest|willst) du|dois-je|puis-je|(?:voulez|souhaitez)-vous|veux-tu",
        r"quieres? que|te gustaría|desea\w* que|vuo(?:i|le) che|quer que|gostaria que|хотите|хочешь|стоит ли|можно ли|нужно ли|мне (?:выполнить|запустить|вызвать)",
    ),
    (
        "要我|需要我|是否|要不要|可以吗|好吗",
        "ますか|ましょうか|いいですか|よろしい",
        "할까요|드릴까요|될까요|될까|할까",
    ),
)
# What is spoken of where a call is made: the call itself, and what comes of it.
CALLING = _pattern(
    (
        r"calls?|functions?|tools?|invocation|invok\w*|api|action|command|aufruf\w*|funktion\w*|werkzeug\w*|befehl|appels?|fonctions?|outils?|commande",
        r"llamadas?|función|funciones|herramient\w*|comando|chiamata|funzion\w*|strument\w*|chamadas?|função|ferramenta\w*|вызов\w*|функци\w*|инструмент\w*|команд\w*",
    ),
    ("调用|函数|工具|接口|命令", "呼び出し|関数|ツール|コマンド", "호출|함수|도구|명령"),
)
OUTCOME = _pattern(
    (
        r"request|query|answer|response|output|results?|returns?|solution|json|code|steps?|parameters?|arguments?|assistant|will|look up",
        r"antwort\w*|ergebnis\w*|schritt|anfrage|wird|réponse|résultat|étape|requête|respuesta|resultado|paso|consulta|risposta|risultato|passo|richiesta",
        r"resposta|ответ\w*|результат\w*|шаг\w*|запрос\w*",
    ),
    ("答案|回答|结果|步骤|请求|参数|查询", "結果|回答|答え|手順|調べ", "결과|답|단계|조회"),
)
# What ends a clause, so that a negation before it does not reach what follows.
CLAUSE_END = re.compile(
    r"[,;:\u2014\u2013、]|\s-\s|\b(?:so|but|therefore|hence|however|aber|also|daher|deshalb|sondern|mais|donc|pero|así que|sino|ma|quindi|perciò|mas|então|но|поэтому)\b"
    r"|所以|但|因此|ので|から|が、|지만|그래서"
)
